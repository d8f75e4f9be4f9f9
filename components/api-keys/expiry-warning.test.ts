import { expect, test } from "vitest";
import { expiryWarnings } from "./expiry-field";

/** A Thursday at noon, by the local clock. */
const now = new Date(2026, 10, 26, 12).getTime();
const wordsOf = (year: number, month: number, date: number) =>
  expiryWarnings(new Date(year, month, date, 15), now).map(({ words }) => words.slice(0, 30));

test("an expiry on a working day in 7 to 180 days gives no warning", () => {
  expect(wordsOf(2026, 11, 9)).toEqual([]);
  expect(expiryWarnings(new Date(now + 7 * 86_400_000), now)).toEqual([]);
});

test("warns of an expiry in less than a week, in more than 180 days or on a weekend", () => {
  expect(wordsOf(2026, 10, 30)).toEqual(["It ends in less than a week: p"]);
  expect(wordsOf(2027, 5, 30)).toEqual(["It is valid for more than 180 "]);
  expect(wordsOf(2026, 11, 12)).toEqual(["It ends on a Saturday, when fe"]);
  expect(wordsOf(2027, 5, 27)).toHaveLength(2);
});

test.each([12, 13])("an expiry on 12 or 13 December can move to Monday at ten: %i", (date) => {
  const [warning] = expiryWarnings(new Date(2026, 11, date, 15), now);
  expect(warning?.better).toBe("2026-12-14T10:00");
});
