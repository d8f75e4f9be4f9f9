import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { languages } from "./languages";
import { createPseudoReader, createReader } from "./reader";
import { msg, number, plural, type Reader, t, translated } from "./t";

const place = Symbol.for("gatehouse.per-process");
const shared = globalThis as { [place]?: unknown };
const before = shared[place];

function readAs(reader: Reader): void {
  shared[place] = new Map([["reader", { getStore: () => reader }]]);
}

afterEach(() => {
  shared[place] = before;
});

const language = { language: "de", direction: "ltr", locale: "de", dates: "de" } as const;

const german = createReader(language, {
  entries: {
    "Revoke key": "Schlüssel widerrufen",
    "Lock {name}": "{name} sperren",
    "{count} users": { one: "{count} Benutzer", other: "{count} Benutzende" },
    'No user "{login}" in {tenant}.': "In {tenant} gibt es „{login}“ nicht.",
    "Open##state": "Offen",
  },
  filled: ['No user "{login}" in {tenant}.'],
});

test("without a reader a text is the one in the source", () => {
  expect(t("Lock {name}", { name: "Ada" })).toBe("Lock Ada");
  expect(plural(1, "1 user", "{count} users")).toBe("1 user");
  expect(plural(3, "1 user", "{count} users")).toBe("3 users");
  expect(t("Open##state")).toBe("Open");
  expect(number(1234.5)).toBe("1,234.5");
});

test("a reader's language has its own words, order, plurals and numbers", () => {
  readAs(german);
  expect(t("Lock {name}", { name: "Ada" })).toBe("Ada sperren");
  expect(t(msg("Revoke key"))).toBe("Schlüssel widerrufen");
  expect(plural(1, "1 user", "{count} users")).toBe("1 Benutzer");
  expect(plural(3, "1 user", "{count} users")).toBe("3 Benutzende");
  expect(t("Open##state")).toBe("Offen");
  expect(number(1234.5)).toBe("1.234,5");
});

test("a text from data is translated if the catalogue has it, and unchanged otherwise", () => {
  readAs(german);
  expect(translated('No user "ada" in demo.')).toBe("In demo gibt es „ada“ nicht.");
  expect(translated("Revoke key")).toBe("Schlüssel widerrufen");
  expect(translated("A name that somebody typed")).toBe("A name that somebody typed");
});

test("a text without translation stays English rather than empty", () => {
  readAs(german);
  expect(t("Rotate {name}", { name: "nightly" })).toBe("Rotate nightly");
});

test("a value inserted into a text is never interpreted as a placeholder", () => {
  readAs(german);
  expect(t("Lock {name}", { name: "{name} <b>" })).toBe("{name} <b> sperren");
});

test("the pseudo-locale brackets each text, makes it longer and keeps its placeholders", () => {
  readAs(createPseudoReader({ ...language, language: "qps" }));
  expect(t("Lock {name}", { name: "Ada" })).toMatch(/^⟦L.+ Ada⟧$/);
  expect(t("Lock {name}", { name: "Ada" }).length).toBeGreaterThan("Lock Ada".length + 2);
});

test.each([...languages])(
  "the script of %s gives a browser the server's reader",
  (name, served) => {
    const browser: { [place]?: Map<string, { getStore(): Reader }> } = {};
    runInNewContext(served.source, { globalThis: browser, Symbol, Map, RegExp, Object, Intl });
    const reader = browser[place]?.get("reader")?.getStore();
    expect(reader?.language).toBe(name);
    for (const text of ["Sign in", "Save", "Revoke key"])
      expect(reader?.find?.(text)).toBe(served.reader.find?.(text));
  },
);
