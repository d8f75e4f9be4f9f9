import { expect, test } from "vitest";
import { isDay, isEmailAddress, isSlug, Label, parseInstant } from "./formats";

test.each([
  ["2026-12-31T23:59:59Z", "2026-12-31T23:59:59.000Z"],
  ["1963-06-19t08:30:06.283185z", "1963-06-19T08:30:06.283Z"],
  ["1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"],
  ["1990-12-31T15:59:50.123-08:00", "1990-12-31T23:59:50.123Z"],
  ["1998-12-31T23:59:60Z", "1999-01-01T00:00:00.000Z"],
  ["1998-12-31T15:59:60.123-08:00", "1999-01-01T00:00:00.123Z"],
  ["1985-04-12T00:59:59.999999999999999Z", "1985-04-12T00:59:59.999Z"],
])("the instant %s is %s", (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant);
});

test.each([
  "2026-02-30T00:00:00Z",
  "1998-12-31T23:58:60Z",
  "1998-12-31T22:59:60Z",
  "1998-12-31T23:59:61Z",
  "1990-12-31T24:00:00Z",
  "1990-12-31T15:60:00Z",
  "1990-12-31T15:59:59-24:00",
  "1990-12-31T10:00:00+10:60",
  "1985-04-12T23:20:50+01",
  "1963-06-19T08:30:06.28123+01:00Z",
  "1963-6-19T08:30:06Z",
  "+11963-06-19T08:30:06Z",
  "2013-350T01:01:01",
  "1985-04-12T23:20:50Z\n",
  "1963-06-1৪T00:00:00Z",
  "2026-12-31",
  "1735689600",
])("%j is no instant", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test.each([
  ["2020-02-29", true],
  ["0400-02-29", true],
  ["2021-02-29", false],
  ["1900-02-29", false],
  ["2020-04-31", false],
  ["2020-00-01", false],
  ["2020-01-00", false],
  ["2020-1-1", false],
])("%s is a day: %s", (text, isReal) => {
  expect(isDay(text)).toBe(isReal);
});

test.each([
  "joe.bloggs@example.com",
  "~te~st~@example.com",
  '"joe bloggs"@example.com',
  '"joe..bloggs"@example.com',
  '"joe@bloggs"@example.com',
  "joe@[127.0.0.1]",
  "joe@[IPv6:::1]",
])("%s is an e-mail address", (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

test.each([
  "2962",
  ".test@example.com",
  "test.@example.com",
  "te..st@example.com",
  "joe@invalid=domain.com",
  "joe@[127.0.0.300]",
  "a@example.org, b@example.org",
  "@example.com",
  "joe@",
  "joe bloggs@example.com",
  "joe@example.com\n",
])("%j is no e-mail address", (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test("a slug has lower-case letters, digits and single hyphens inside, 63 at most", () => {
  expect(["a", "a-1", "x".repeat(63)].map(isSlug)).toEqual([true, true, true]);
  expect(["", "-a", "a-", "a--b", "A", "a_b", "x".repeat(64), "a\n"].map(isSlug)).toEqual(
    Array(8).fill(false),
  );
});

test("a label is trimmed and composed, and counts code points", () => {
  expect(Label.parse("  e\u0301  ")).toBe("\u00e9");
  expect(Label.safeParse("😀".repeat(128)).success).toBe(true);
  expect(
    ["", "  ", "x".repeat(129), "a\u0000b", "a\nb"].map((text) => Label.safeParse(text).success),
  ).toEqual(Array(5).fill(false));
});

test.each(["a\u202eb", "\u2066a", "a\u2028b", "a\u2029b", "a\u0085b"])(
  "a label has nothing that turns or breaks its line: %j",
  (text) => {
    expect(Label.safeParse(text).success).toBe(false);
  },
);
