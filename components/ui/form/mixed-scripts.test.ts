import { expect, test } from "vitest";
import { mixedScripts } from "@/components/users/login-text";

test.each([
  ["\u0430dm", ["Latin", "Cyrillic"]],
  ["m\u03b1ra@corp.io", ["Latin", "Greek"]],
  ["adm-\u13a0", ["Latin", "Cherokee"]],
])("%j mixes scripts", (login, scripts) => {
  expect(mixedScripts(login)).toEqual(scripts);
});

test.each(["adm", "jürgen.groß", "иван", "γιώργος", "admin-1", "mara-東京", "", "1234"])(
  "%j has one script, or others that are not confusable with it",
  (login) => {
    expect(mixedScripts(login)).toEqual([]);
  },
);
