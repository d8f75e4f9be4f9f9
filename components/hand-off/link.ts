import type { PostedForm } from "@/lib/features/portal/values";
import type { Opened } from "./opened-secret";
import { unseal } from "./sealing";

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
