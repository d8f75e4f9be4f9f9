import { hash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "@/lib/database/data-dir";
import { invalid } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { type Plane, passwordForm } from "./hashing";
import { contextWords, effectiveLength, forms, repeatedPart } from "./password-patterns";

/** Characters of generated passwords, without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = 5;
const groupLength = 4;

const group = () =>
  Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join("");

/** A password of 99 random bits that is easy to read out and to type: five groups of four. */
export function newOneTimePassword(): string {
  return Array.from({ length: groups }, group).join("-");
}

/** Sorted prefixes of SHA-256 hashes, written by scripts/common-passwords.mjs, which also names the sources. */
const prefixBytes = 5;

const prefixes = perProcess("common-passwords", () =>
  readFileSync(join(projectRoot(), "lib", "access", "common-passwords.bin")),
);

/** The number of passwords in the list. */
export const countCommonPasswords = (): number => prefixes().length / prefixBytes;

/**
 * Whether a text in lower case is among the most common and breached passwords. One hash and a binary search over 1 MB;
 * the probability of a false positive is 2e-7.
 */
export function isCommonPassword(text: string): boolean {
  const wanted = hash("sha256", text, "buffer").subarray(0, prefixBytes);
  let low = 0;
  let high = countCommonPasswords();
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle * prefixBytes;
    const order = prefixes().compare(wanted, 0, prefixBytes, start, start + prefixBytes);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

const minLength: Record<Plane, number> = { management: 15, consumer: 8 };
const maxLength = 128;

const advice = "Choose another, for example a few unrelated words in a row.";

const lengthOf = (text: string) => [...text].length;

/** Why the password is rejected; undefined if it is accepted. */
function rejection(plane: Plane, password: string, context: readonly string[]): string | undefined {
  const min = minLength[plane];
  const length = lengthOf(password);
  if (length < min)
    return `The password must have at least ${min} characters. A few words in a row are easy to remember.`;
  if (length > maxLength) return `The password may have at most ${maxLength} characters.`;
  if (/\p{Cc}/u.test(password))
    return "The password contains a control character, such as a tab or a line break. Remove it.";
  const part = lengthOf(repeatedPart(password.toLowerCase()));
  if (part < min && part < length)
    return `The password repeats the same ${part === 1 ? "character" : `${part} characters`}. ${advice}`;
  if (forms(password).some(isCommonPassword))
    return `The password is on the list of common passwords, alone or with digits and symbols around it. ${advice}`;
  const minEffective = Math.ceil(min / 2);
  if (effectiveLength(password, []) < minEffective)
    return `The password consists of sequences, repeated characters or very common words. ${advice}`;
  if (effectiveLength(password, contextWords(context)) < minEffective)
    return `The password is made of the login, a name or the tenant. ${advice}`;
  return undefined;
}

/**
 * The one check of a new password, on both planes: length in code points, no control characters, neither common nor breached,
 * nor made of sequences, repetition or details of the account. No composition rules; nothing is trimmed or cut off.
 * `context`: login, name, e-mail address, tenant and site, as far as they are known. Throws 400.
 */
export function assertPasswordSuitable(
  plane: Plane,
  password: string,
  context: readonly string[],
  pointer = "/password",
): void {
  const detail = rejection(plane, passwordForm(password), context);
  if (detail !== undefined) throw invalid([{ pointer, detail }], "password.unsuitable");
}
