import type { PostedForm } from "@/lib/features/portal/values";
import type { Opened } from "./opened-secret";

/*
 * The secret of a key in a hand-off link. Only the two browsers can decrypt it, unless the
 * reader's runs no scripts and sends the link with the key to the server:
 *
 *     sealed   base64url(initialization vector, 12 bytes | AES-256-GCM ciphertext | tag, 16 bytes): the service stores it until it is opened
 *     key      base64url(32 random bytes): in the fragment of the link, which browsers never send
 *
 * Each key encrypts one text, so a random vector cannot be used twice with it.
 */

const algorithm = "AES-GCM";
const vectorBytes = 12;

/** An encrypted text and its key. */
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

/** Encrypts a text with a new key. Requires a secure context: HTTPS or localhost. */
export async function seal(text: string): Promise<Sealed> {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(vectorBytes));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["encrypt"]);
  const plain = new TextEncoder().encode(text);
  const ciphertext = await crypto.subtle.encrypt({ name: algorithm, iv }, key, plain);
  const sealed = toBase64Url(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
  return { sealed, key: toBase64Url(raw) };
}

/** The text; undefined when the key is wrong or the sealed text was changed. */
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
 * Whether a text is an API key: "svk_", 43 characters of base62, and the CRC-32 of these 47 in 6 digits of base62. A
 * page of this product must not show any other sealed text as a key.
 */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The reversed polynomial of CRC-32 (ISO 3309), as zlib has it. */
const polynomial = 0xedb88320;

/** Computed bit by bit: a lookup table does not pay off for one short text. */
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

/** The content of a link's fragment: the token opens the hand-off, the key decrypts it. */
export interface HandOffLink {
  token: string;
  key: string;
}

export const handOffLink = (
  origin: string,
  { tenant, token, key }: HandOffLink & { tenant: string },
): string => `${origin}/hand-off/${tenant}#token=${token}&key=${key}`;

/** Undefined when a part is missing or cut off: opening it would use it up in vain. */
export function readHandOffLink(hash: string): HandOffLink | undefined {
  const parts = new URLSearchParams(hash.slice(1));
  const [token, key] = [parts.get("token") ?? "", parts.get("key") ?? ""];
  const isComplete = /^svh_[0-9A-Za-z]{43}$/.test(token) && /^[\w-]{43}$/.test(key);
  return isComplete ? { token, key } : undefined;
}

/** An opened hand-off with its secret. The creator of a link can encrypt any text: only a valid key is shown as one. */
export async function openedWith(
  key: string,
  { sealed, name, validTo }: NonNullable<PostedForm["opened"]>,
): Promise<Opened> {
  const text = await unseal({ sealed, key });
  return { name, validTo, secret: text !== undefined && isKey(text) ? text : undefined };
}

/** The secret of a hand-off that was opened without scripts: the user sent the server the link with the key. */
export async function openedByForm(posted: PostedForm | undefined): Promise<Opened | undefined> {
  if (!posted?.opened) return undefined;
  const { link = "" } = posted.values;
  return openedWith(readHandOffLink(link.slice(link.indexOf("#")))?.key ?? "", posted.opened);
}
