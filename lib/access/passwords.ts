import { invalid } from "@/lib/protocol/errors";
import { isCommonPassword } from "./common-passwords";
import { type Plane, passwordForm } from "./hashing";
import { contextWords, effectiveLength, forms, repeatedPart } from "./password-patterns";

const minLength: Record<Plane, number> = { management: 15, consumer: 8 };
const maxLength = 128;

const advice = "Choose another, for example a few unrelated words in a row.";

const lengthOf = (text: string) => [...text].length;

/** Why the password is not accepted; undefined for one that is. */
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
 * nor made of sequences, repetition or what is known about the account. No composition rules; nothing is trimmed or cut off.
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
