import { expect, test } from "vitest";
import { operations, slugOf } from "@/lib/catalogue/operations";
import { operationGroups, operationPage } from "./reference";

const demo = { tenant: "demo", site: "eu-store" };

test("a response made of named schemas shows their fields at any depth", () => {
  const fields = operationPage("get-v1-user-list", demo)?.answer?.part.fields ?? [];
  expect(fields).toContainEqual({
    path: "[].userRoles.{key}.roleIds",
    type: "array of string",
    required: true,
    note: "The ids of the roles.",
  });
  expect(fields.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["[].id", "[].userRoles", "[].lock"]),
  );
});

test("every operation with a response or a body describes its fields", () => {
  const silent = operations.filter((declared) => {
    const page = operationPage(slugOf(declared), demo);
    const parts = [declared.answer && page?.answer, declared.body && page?.body].filter(Boolean);
    return parts.some(
      (one) => one && one.part.fields.length === 0 && /^(anything)?$/.test(one.part.note),
    );
  });
  expect(silent.map(({ operation }) => operation)).toEqual([]);
});

test("a note about a parameter or field is one sentence", () => {
  const notes = operations.flatMap((declared) => {
    const page = operationPage(slugOf(declared), demo);
    const fields = [page?.body, page?.answer].flatMap((body) => body?.part.fields ?? []);
    return [...(page?.parameters ?? []), ...fields].map(({ note }) => note);
  });
  expect(notes.filter((note) => /[.;];/.test(note))).toEqual([]);
});

test("every group of operations has a display name", () => {
  for (const { name } of operationGroups()) expect(name).toMatch(/^[A-Z]/);
});
