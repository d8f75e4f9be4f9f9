import type { PostedForm } from "@/lib/features/portal/values";
import type { Opened } from "./opened-secret";

/*
 * The secret of a key on its way to somebody. Only the two browsers can read it, unless the reader's runs no scripts and gives the server
 * the key with the link:
 *
 *     sealed   base64url(initialization vector, 12 bytes | AES-256-GCM ciphertext | tag, 16 bytes): the service stores it until it is opened
 *     key      base64url(32 random bytes): in the fragment of the link, which browsers send to nobody
 *
 * Each key encrypts one text, so a random vector cannot be used twice with it.
 */

const algorithm = "AES-GCM";
const vectorBytes = 12;

/** An encrypted text, and what decrypts it. */
interface Sealed {
  sealed: string;
  key: string;
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );

/** SHA-256 of a text in hexadecimal digits. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Encrypts a text with a new key. Browsers can in a secure context only: over HTTPS, or on this machine. */
export async function seal(text: string): Promise<Sealed> {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(vectorBytes));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["encrypt"]);
  const plain = new TextEncoder().encode(text);
  const ciphertext = await crypto.subtle.encrypt({ name: algorithm, iv }, key, plain);
  const sealed = toBase64Url(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
  return { sealed, key: toBase64Url(raw) };
}

/** The text; undefined where the key is another one or the sealed text was changed. */
export async function unseal({ sealed, key: raw }: Sealed): Promise<string | undefined> {
  try {
    const bytes = fromBase64Url(sealed);
    const key = await crypto.subtle.importKey("raw", fromBase64Url(raw), algorithm, false, [
      "decrypt",
    ]);
    const iv = bytes.subarray(0, vectorBytes);
    const plain = await crypto.subtle.decrypt(
      { name: algorithm, iv },
      key,
      bytes.subarray(vectorBytes),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return undefined;
  }
}

/*
 * Whether a text is an API key: "svk_", 43 characters of base62, and the CRC-32 of these 47 in 6 digits of base62. A page of this product
 * must show nothing else as a key that somebody has sealed.
 */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The reversed polynomial of CRC-32 (ISO 3309), as zlib has it. */
const polynomial = 0xedb88320;

/** Bit by bit: a table would be longer than what it is used for, once. */
function crc32(text: string): number {
  let rest = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? polynomial : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62))
    digits = `${alphabet[rest % 62]}${digits}`;
  return digits;
}

export const isKey = (text: string): boolean =>
  /^svk_[0-9A-Za-z]{49}$/.test(text) && checksum(text.slice(0, 47)) === text.slice(47);

/** What the fragment of a link holds: the token opens the hand-off, the key decrypts it. */
export interface HandOffLink {
  token: string;
  key: string;
}

export const handOffLink = (
  origin: string,
  { tenant, token, key }: HandOffLink & { tenant: string },
): string => `${origin}/hand-off/${tenant}#token=${token}&key=${key}`;

/** Undefined where a part is missing or was cut off: opening it would use it up for nothing. */
export function readHandOffLink(hash: string): HandOffLink | undefined {
  const parts = new URLSearchParams(hash.slice(1));
  const [token, key] = [parts.get("token") ?? "", parts.get("key") ?? ""];
  const isComplete = /^svh_[0-9A-Za-z]{43}$/.test(token) && /^[\w-]{43}$/.test(key);
  return isComplete ? { token, key } : undefined;
}

/** What was opened, with its secret. The creator of a link can encrypt any text: what is not a key is not shown as one. */
export async function openedWith(
  key: string,
  { sealed, name, validTo }: NonNullable<PostedForm["opened"]>,
): Promise<Opened> {
  const text = await unseal({ sealed, key });
  return { name, validTo, secret: text !== undefined && isKey(text) ? text : undefined };
}

/** The secret of a hand-off that was opened without scripts: the person gave the server the key with the link. */
export async function openedByForm(posted: PostedForm | undefined): Promise<Opened | undefined> {
  if (!posted?.opened) return undefined;
  const { link = "" } = posted.values;
  return openedWith(readHandOffLink(link.slice(link.indexOf("#")))?.key ?? "", posted.opened);
}
