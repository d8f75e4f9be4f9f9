import { randomInt } from "node:crypto";

/** Without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = 5;
const groupLength = 4;

const group = () =>
  Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join("");

/** A password of 99 random bits that is easy to read out and to type: five groups of four. */
export function newOneTimePassword(): string {
  return Array.from({ length: groups }, group).join("-");
}
