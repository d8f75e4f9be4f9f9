/**
 * Patterns that make even a long password easy to guess. Two measures, both on the password in lower case:
 *
 * - `forms`: the password without decoration, to be looked up in the list of common passwords.
 *   "P@ssw0rd1234567" -> "p@ssw0rd1234567", "p@ssw0rd", "password"
 *   "summer2026summer2026" -> ..., "summer2026", "summer"
 * - `effectiveLength`: the length with every predictable part counted as one character, and separators as none.
 *   "qwertyuiop123456" -> 2 (a row of keys, a sequence), "acme-2026-acme-2027" with the word "acme" -> 4
 */

const rows = [
  ...[
    "1234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
  ],
  ...[
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789",
    "!@#$%^&*()_+",
    '!"§$%&/()=',
    "йцукенгшщзхъ",
    "фывапролджэ",
    "ячсмитьбю",
  ],
  // Columns of keys.
  ...["1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujm"],
];
const reversed = (text: string) => [...text].reverse().join("");
const sequences = [...rows, ...rows.map(reversed)];
const minRun = 3;

/** Words that add no strength, anywhere in a password. */
const worthless = [
  ...[
    "password",
    "passwort",
    "passwd",
    "pass",
    "admin",
    "administrator",
    "login",
    "welcome",
    "letmein",
  ],
  ...["changeme", "default", "iloveyou", "qwerty", "test", "user", "gatehouse"],
  ...[
    "spring",
    "summer",
    "autumn",
    "winter",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
  ],
  ...["august", "september", "october", "november", "december", "monday", "tuesday", "wednesday"],
  ...["thursday", "friday", "saturday", "sunday"],
];

const separators = /[\s\-_.,;:|/\\+]/gu;
const year = /^(?:19|20)\d\d/;

const lookalikes: Record<string, string> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};
const decoded = (text: string) => [...text].map((one) => lookalikes[one] ?? one).join("");

/** The shortest part whose repetition gives the text; the text itself if there is none. "abcabcab" -> "abc" */
export function repeatedPart(text: string): string {
  const characters = [...text];
  for (let period = 1; period <= characters.length / 2; period += 1)
    if (characters.every((one, index) => index < period || one === characters[index - period]))
      return characters.slice(0, period).join("");
  return text;
}

/** The text without digits and symbols at both ends. "!!summer-2026" -> "summer" */
const bare = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");

/** The texts to look up in the list of common passwords, each at least 4 characters. */
export function forms(password: string): string[] {
  const plain = password.normalize("NFKC").toLowerCase();
  const compact = plain.replace(separators, "");
  const units = [plain, compact, repeatedPart(plain), repeatedPart(compact)];
  const digitsOff = units.map((one) => one.replace(/\d+$/, "").replace(/^\d+/, ""));
  const bases = [...units, ...digitsOff, ...units.map(bare)];
  const all = [...bases, ...bases.map(decoded), ...digitsOff.map((one) => bare(decoded(one)))];
  return [...new Set([...all, ...all.map(repeatedPart)])].filter((one) => [...one].length >= 4);
}

/** The number of characters from the start that repeat, or follow each other in a sequence. */
function runLength(text: string): number {
  const [first = ""] = [...text];
  let max = 1;
  while (text[max] === first) max += 1;
  for (const sequence of sequences) {
    const start = sequence.indexOf(first);
    if (start < 0) continue;
    let length = 1;
    while (start + length < sequence.length && text[length] === sequence[start + length])
      length += 1;
    max = Math.max(max, length);
  }
  return max;
}

/** The length with words of the context, worthless words, years, runs and repetitions counted as one character each. */
export function effectiveLength(password: string, words: readonly string[]): number {
  const known = [...worthless, ...words].sort((a, b) => b.length - a.length);
  let count = 0;
  const plain = password.normalize("NFKC").toLowerCase().replace(separators, "");
  for (let rest = plain; rest !== ""; count += 1) {
    const word = known.find((one) => rest.startsWith(one));
    const run = runLength(rest);
    const taken = word?.length ?? (year.test(rest) ? 4 : run >= minRun ? run : 1);
    rest =
      taken > 1
        ? rest.slice(Math.max(taken, run >= minRun ? run : 0))
        : [...rest].slice(1).join("");
  }
  return count;
}

/**
 * The words that a password must not consist of, of at least 3 characters in lower case.
 * ["Ada Lovelace", "ada@example.com"] -> ["adalovelace", "ada", "lovelace", "ada@example.com", "example"]
 */
export function contextWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const plain = text.normalize("NFC").toLowerCase();
    const [mailbox = ""] = plain.split("@");
    return [plain.replace(separators, ""), mailbox, ...plain.split(/[^\p{L}\p{N}]+/u)];
  });
  const common = new Set(["com", "net", "org", "www", "the", "and"]);
  return [...new Set(words)].filter((word) => word.length >= 3 && !common.has(word)).slice(0, 100);
}
