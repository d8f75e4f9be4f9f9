import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import type { Plane } from "./hashing";
import { effectiveLength } from "./password-patterns";
import { assertPasswordSuitable, countCommonPasswords, isCommonPassword } from "./passwords";

const context = ["ada", "Ada Lovelace", "ada.lovelace@acme-shoes.example", "acme", "Acme Shoes"];

function rejection(password: string, plane: Plane = "management", known = context) {
  try {
    assertPasswordSuitable(plane, password, known);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

describe("accepted", () => {
  test.each([
    "four words in a row",
    "a longer secret",
    "correct horse battery",
    "an even longer password",
    "seven quiet lanterns by the gate",
    "k7#dog99!xQpl2z",
    "48201937462819304756",
    "Grünkohl mit Pinkel und Senf",
    "パスワードは長いほうがいいですね",
    "  spaces at both ends  ",
    "😀🐢🚀🌋🎹🦉🍋🧊🪁🛶🧵🪐🎲🗿🦀",
  ])("management: %s", (password) => {
    expect(rejection(password)).toBeUndefined();
  });

  test.each(["a longer secret", "the new secret", "kQ7!zr2v", "gr33n-otter", "blue tram 9"])(
    "customer: %s",
    (password) => {
      expect(rejection(password, "consumer")).toBeUndefined();
    },
  );

  test.each([
    ["management", 15],
    ["consumer", 10],
  ] as const)("random characters, as a password manager makes them: %s", (plane, minLength) => {
    const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#%&*+?";
    const character = fc.constantFrom(...alphabet);
    const random = fc.array(character, { minLength, maxLength: 40 });
    fc.assert(
      fc.property(random, (characters) => {
        const password = characters.join("");
        fc.pre(new Set(characters).size > minLength / 2);
        return rejection(password, plane) === undefined;
      }),
      // One in several hundred seeds generates a password that counts as common: see isCommonPassword.
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe("on the list of common passwords, plain or decorated", () => {
  test.each([
    ...[
      "passwordpassword1",
      "Password1234567",
      "P@ssw0rd1234567",
      "ｐａｓｓｗｏｒｄ１２３４５６７",
      "correcthorsebatterystaple",
    ],
    ...[
      "correct horse battery staple",
      "Correct-Horse-Battery-Staple!",
      "iloveyou12345678",
      "q1w2e3r4t5y6u7i8o9p0",
    ],
    ...["WelcomeWelcome2026!", "dragon!!!!!!!!!!!", "1234567sunshine!", "to be or not to be"],
  ])("management: %s", (password) => {
    expect(rejection(password)).toMatch(/common/);
  });

  test.each([
    "password1",
    "Summer2026",
    "summer2026summer2026",
    "sunshine!",
    "iloveyou2",
    "trustno1!",
  ])("customer: %s", (password) => {
    expect(rejection(password, "consumer")).toMatch(/common/);
  });
});

describe("repetition", () => {
  test.each([
    ["aaaaaaaaaaaaaaa", "the same character"],
    [" ".repeat(15), "the same character"],
    ["😀".repeat(128), "the same character"],
    ["abcabcabcabcabcabc", "the same 3 characters"],
    ["summer2026summer2026", "the same 10 characters"],
    ["acme2026acme2026", "the same 8 characters"],
    ["Xk2!pXk2!pXk2!pXk2", "the same 5 characters"],
  ])("%s", (password, detail) => {
    expect(rejection(password)).toContain(detail);
  });

  test("a repeated part that is long enough by itself is accepted", () => {
    expect(rejection("gr33n-otter gr33n-otter ", "consumer")).toBeUndefined();
  });
});

test.each([
  ...[
    "123456789012345",
    "12345678901234567890",
    "qwertyuiopasdfgh",
    "QWERTYuiopASDFGHjkl",
    "zxcvbnmasdfghjkl",
  ],
  ...[
    "1qaz2wsx3edc4rfv5tgb",
    "1q2w3e4r5t6y7u8i",
    "abcdefghijklmnop",
    "zyxwvutsrqponmlk",
    "aaaaaaabbbbbbbbccccc",
  ],
  ...[
    "!@#$%^&*()_+!@#$",
    "azertyuiopqsdfgh",
    "spring summer autumn",
    "january2026february",
    "admin-login-2026!!",
  ],
])("sequences, rows of keys and empty words: %s", (password) => {
  expect(rejection(password)).toMatch(/sequences|common|repeats/);
});

test.each([
  ...[
    "Ada-Lovelace-1815!",
    "acme-2026-acme-2027",
    "AcmeShoesAcme2026",
    "lovelace.acme.ada.1",
    "adalovelaceacme12",
  ],
])("made of details of the account: %s", (password) => {
  expect(rejection(password)).toMatch(/made of the login|repeats|common/);
  expect(rejection(password)).toBeDefined();
});

test("a run counts once, also if it starts with the first key of a row", () => {
  expect(effectiveLength("qwer1234abcd", [])).toBe(3);
  expect(effectiveLength("wert2345bcde", [])).toBe(3);
});

test("made of the context only, and accepted elsewhere", () => {
  const password = "zanzibar-trading-77";
  expect(rejection(password, "management", ["um", "zanzibar-trading"])).toContain(
    "made of the login",
  );
  expect(rejection(password)).toBeUndefined();
});

test.each([
  "\0".repeat(15),
  "four words in\0a row",
  "four words\tin a row",
  "four words in a row\n",
  "four words\u0085in a row",
])("control characters: %j", (password) => {
  expect(rejection(password)).toContain("control character");
});

test("length is counted in code points, and nothing is cut off", () => {
  expect(rejection("😀".repeat(14))).toContain("at least 15");
  expect(rejection("x".repeat(129))).toContain("at most 128");
  const long = `four words in a row, ${"and seven quiet lanterns by the gate ".repeat(3)}`.slice(
    0,
    127,
  );
  expect(rejection(`${long}!`)).toBeUndefined();
  expect(rejection(`${long}!!`)).toContain("at most 128");
});

test("the detail never repeats the password", () => {
  for (const password of ["Password1234567", "acme2026acme2026", "12345678901234567890"])
    expect(rejection(password)).not.toContain(password);
});

describe("the list", () => {
  test("holds at least 100,000 passwords in at most 2 MB", () => {
    expect(countCommonPasswords()).toBeGreaterThan(100_000);
    const bytes = readFileSync(join(projectRoot(), "lib", "access", "common-passwords.bin"));
    expect(bytes.length).toBeLessThan(2_000_000);
    for (let at = 5; at < bytes.length; at += 5)
      if (bytes.compare(bytes, at - 5, at, at, at + 5) <= 0) throw new Error(`not sorted at ${at}`);
  });

  test("contains leaked passwords, and not others", () => {
    for (const known of ["123456", "password", "letmein", "trustno1", "staple", "1qaz2wsx3edc"])
      expect(isCommonPassword(known), known).toBe(true);
    for (const other of ["", "seven quiet lanterns", "kq7!zr2v"])
      expect(isCommonPassword(other), other).toBe(false);
  });
});
