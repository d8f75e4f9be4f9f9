import { invalid } from "@/lib/protocol/errors";
import { isCommonPassword } from "./common-passwords";
import type { Plane } from "./hashing";

const shortest: Record<Plane, number> = { management: 15, consumer: 8 };
const longest = 128;

/** Throws 400 for a new password that is too short or long (in code points), common, or made of the login. No composition rules. */
export function checkNewPassword(
  plane: Plane,
  password: string,
  login: string,
  pointer = "/password",
): void {
  const length = [...password].length;
  const refuse = (detail: string) => invalid([{ pointer, detail }], "password.unsuitable");
  if (length < shortest[plane])
    throw refuse(
      `The password must have at least ${shortest[plane]} characters. A few words in a row are easy to remember.`,
    );
  if (length > longest) throw refuse(`The password may have at most ${longest} characters.`);
  const plain = password.toLowerCase();
  if (login.length > 3 && plain.replaceAll(login.toLowerCase(), "").length < shortest[plane] / 2)
    throw refuse("The password is made of the login. Choose another.");
  if (isCommonPassword(plain))
    throw refuse("The password is on the list of common passwords. Choose another.");
}
