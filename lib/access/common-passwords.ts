import { dictionary } from "@zxcvbn-ts/language-common";

let common: Set<string> | undefined;

/** What the list, gathered from short passwords, lacks: fingers that run along a keyboard, and a favourite said again and again. */
const runs = [
  ..."1234567890 0123456789 9876543210 0987654321 123456789 987654321 123123 abc123".split(" "),
  ..."qwertyuiopasdfghjklzxcvbnm qwertyuiop abcdefghijklmnopqrstuvwxyz 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc4rfv5tgb6yhn7ujm".split(
    " ",
  ),
  ..."qazwsxedcrfvtgbyhnujm password passw0rd password1 letmein changeme welcome iloveyou qwerty admin administrator secret".split(
    " ",
  ),
];

const isRun = (password: string) =>
  runs.some((run) => run.repeat(Math.ceil(password.length / run.length)).startsWith(password));

/** Whether a lower-case password is among the tens of thousands that leaked most often, or a longer form of the best known. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(dictionary["passwords-common"]);
  return common.has(password) || isRun(password);
}
