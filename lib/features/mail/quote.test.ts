import { expect, test } from "vitest";
import { quote } from "./queue";

test.each([
  ["a login", "ada-smith", '"ada-smith"'],
  ["a URL", "YOU WON: https://evil.example/claim0", '"YOU WON: https[:]//evil[.]example/claim0"'],
  ["a bare name of a host", "evil.example", '"evil[.]example"'],
  ["a mail address", "ada@evil.example", '"ada[@]evil[.]example"'],
  ["an address in full-width signs", "ada＠evil．example。com", '"ada[＠]evil[．]example[。]com"'],
  ["line breaks and control characters", "a\r\nBcc: x\u2028y\u0000z\u202e", '"a Bcc: x y z"'],
  [
    "quotes that would end it",
    'x" Your account was closed. "y',
    "\"x' Your account was closed. 'y\"",
  ],
  ["more than 60 characters", "😀".repeat(70), `"${"😀".repeat(60)}…"`],
])("%s is quoted", (_, text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
