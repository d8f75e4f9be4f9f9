import { expect, test } from "vitest";
import { z } from "zod";
import { BirthDate } from "./documents/customer-profile";
import {
  EmailAddress,
  earlier,
  isDay,
  isEmailAddress,
  isSlug,
  Label,
  labelKey,
  later,
  NewLogin,
  parseInstant,
} from "./formats";
import { checkBody } from "./validation";

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

const isLabel = (text: string) => !checkBody(z.object({ name: Label }), { name: text }).problems;

test("a label is trimmed and normalised, counts code points, and has a visible character", () => {
  expect(Label.parse("  e\u0301  ")).toBe("\u00e9");
  expect(isLabel("😀".repeat(128))).toBe(true);
  expect(isLabel("\u05d0\u200f (1)")).toBe(true);
  const wrong = ["", "  ", "x".repeat(129), "a\u0000b", "a\nb", "a\u202eb", "\u2066a", "a\u2028b"];
  expect(wrong.map(isLabel)).toEqual(wrong.map(() => false));
  expect(isLabel("a\n")).toBe(true);
});

const unseen = ["\u200b", "\u200d", "\u2060", "\u00ad", "\u034f", "\u115f", "\u180e", "\u2800"];
test.each([...unseen, "\u3164", "\u{e0020}", "\u200b \u200c"])("%j is not a label", (text) => {
  expect(isLabel(text)).toBe(false);
});

test("new logins contain no white space except single spaces: pages display all white space alike", () => {
  for (const space of ["\u00a0", "  ", "\u2003", "\u202f", "\u3000", "\u1680"])
    expect(NewLogin.safeParse(`ann${space}lee`).success, JSON.stringify(space)).toBe(false);
  expect(NewLogin.parse(" ann lee\u00a0")).toBe("ann lee");
});

test("labels are equal if they differ only in invisible characters", () => {
  const twins = ["adm", "ADM", "a\u200bdm", "adm\u2060", "\ufe0fadm", "adm\u{e0041}", "adm \u200b"];
  const blanks = ["adm\u2800", "\ufff9adm", "ad\ufffbm"];
  expect([...new Set([...twins, ...blanks].map(labelKey))]).toEqual(["adm"]);
  for (const login of blanks) expect(NewLogin.safeParse(login).success, login).toBe(false);
  expect(labelKey("u\u200b\u0308")).toBe(labelKey("ü"));
  expect(twins.map((login) => NewLogin.safeParse(login).success)).toEqual([
    ...[true, true],
    ...Array(5).fill(false),
  ]);
});

test("fractions of a second are truncated", () => {
  const instant = parseInstant(`2026-01-01T12:00:00.${"9".repeat(30)}Z`);
  expect(instant?.toISOString()).toBe("2026-01-01T12:00:00.999Z");
});

test("a shifted instant can still be written and stored", () => {
  const first = new Date("0001-01-01T00:00:00.000Z");
  const last = new Date("9999-12-31T23:59:59.999Z");
  expect(earlier(first, 1)).toEqual(first);
  expect(later(last, 1)).toEqual(last);
  expect(earlier(last, 999).toISOString()).toBe("9999-12-31T23:59:59.000Z");
});

test("no day or instant is in the year 0", () => {
  expect(isDay("0000-01-01")).toBe(false);
  expect(isDay("0001-01-01")).toBe(true);
  expect(parseInstant("0001-01-01T00:00:00+14:00")).toBeUndefined();
});

test.each([
  ["ann@example.com ", "ann@example.com"],
  ["\u00a0ann@Example.com\n", "ann@Example.com"],
  ["info@müller.example", "info@xn--mller-kva.example"],
  ['"a b"@[192.0.2.1]', '"a b"@[192.0.2.1]'],
  ["ann@localhost", "ann@localhost"],
])("the e-mail address %j is stored as %s", (text, address) => {
  expect(EmailAddress.parse(text)).toBe(address);
});

test("a local part beyond ASCII is rejected with this message", () => {
  const { error } = EmailAddress.safeParse("jörg@example.com");
  expect(error?.issues[0]?.message).toContain("letters of ASCII before the @");
});

test("the error for a text that is too long has the schema's limit", () => {
  const checked = checkBody(z.object({ birthDate: BirthDate }), {
    birthDate: "1990-05-12T00:00:00.000Z",
  });
  expect(checked.problems?.[0]?.detail).toContain("must be a day that is past");
});
