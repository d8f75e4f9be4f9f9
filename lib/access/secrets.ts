import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n)
    text = `${alphabet[Number(rest % 62n)]}${text}`;
  return text;
}

/** 256 random bits as 43 characters. */
const random = () => base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);

/** Computed for each presented key: numbers are ten times as fast as big integers. */
function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62))
    digits = `${alphabet[rest % 62]}${digits}`;
  return digits;
}

/** Token with which a customer sets a new password. */
export const newPasswordToken = () => `svp_${random()}`;

export const newSessionId = () => `svs_${random()}`;

/** Token that continues a sign-in after its password was correct, when it needs a second factor. */
export const newSignInChallenge = () => `svf_${random()}`;

/** Token in a link to set a password. */
export const newLinkToken = () => `svl_${random()}`;

/** Token in a link to one preview configuration. */
export const newShareToken = () => `svv_${random()}`;

/** Token in a link to the encrypted secret of a key. */
export const newHandOffToken = () => `svh_${random()}`;

/** Token with which an identity provider provisions the people of a tenant. */
export const newProvisioningToken = () => `svn_${random()}`;

/** The checksum lets a typo or the finding of a secret scanner be checked without the store. */
export function newApiKey(): string {
  const secret = `svk_${random()}`;
  return secret + checksum(secret);
}

export const isSessionId = (text: string) => /^svs_[0-9A-Za-z]{43}$/.test(text);

export const isProvisioningToken = (text: string) => /^svn_[0-9A-Za-z]{43}$/.test(text);

export const isHandOffToken = (text: string) => /^svh_[0-9A-Za-z]{43}$/.test(text);

export function isApiKey(text: string): boolean {
  return /^svk_[0-9A-Za-z]{49}$/.test(text) && checksum(text.slice(0, 47)) === text.slice(47);
}

/** Base64url without padding and with unused bits at zero, so that every token has only one encoding. */
const isStrict = (part: string) =>
  /^[\w-]*$/.test(part) && Buffer.from(part, "base64url").toString("base64url") === part;

/** Whether the text is this many parts of strict base64url (3: signed, 5: encrypted, whose second part may be empty). */
export function isCompactToken(text: string, count: 3 | 5): boolean {
  const parts = text.split(".", count + 1);
  const isFull = (part: string, index: number) => part !== "" || (count === 5 && index === 1);
  return (
    parts.length === count && parts.every((part, index) => isFull(part, index) && isStrict(part))
  );
}

/** The hash that is stored instead of a secret: 256 random bits need no slow hash. */
export const sha256 = (text: string) => hash("sha256", text, "buffer");
