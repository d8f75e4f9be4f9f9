import { expect, test } from "vitest";
import { byLetter, foundAlready, matchOf } from "./item";

const generate = ["Generate API key", "new", byLetter("K")];

test.each([
  ["api gen", 1],
  ["k", 1],
  ["key letter", 0],
  ["generate user", 0],
])("%j finds what generates a key: %i", (search, found) => {
  expect(matchOf("generate-key", search, generate)).toBe(found);
});

test("a letter hides the regular item of its shortcut", () => {
  expect(matchOf("generate-key", " K ", generate)).toBe(0);
  expect(matchOf("go-keys", "k", ["API keys", byLetter("k")])).toBe(0);
});

test("results of a search are shown without a second match against the text", () => {
  expect(matchOf("letter-K", "K", [foundAlready])).toBe(1);
});
