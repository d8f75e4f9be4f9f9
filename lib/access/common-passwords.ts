import { dictionary } from "@zxcvbn-ts/language-common";

let common: Set<string> | undefined;

/** Whether a lower-case password is among the tens of thousands that leaked most often. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(dictionary["passwords-common"]);
  return common.has(password);
}
