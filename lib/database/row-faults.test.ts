import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { rowFaults } from "@/lib/database/testing/row-faults";
import { type NamedRead, namedReads } from "@/lib/database/testing/row-types";

const declared = (name: string, columns: NamedRead["columns"]): NamedRead => ({
  place: "here",
  name: new RegExp(`^${name}$`),
  columns,
});
const required = { isNullable: false, isOptional: false };
const nullable = { isNullable: true, isOptional: false };
const statement = `select u.login, u.locked_until as "lockedUntil" from users u where u.tenant_id = $1`;
const faultsOf = (name: string, columns: NamedRead["columns"]) =>
  rowFaults({
    url: String(process.env.DATABASE_URL),
    statements: new Map([[name, statement]]),
    noted: join(mkdtempSync(join(inject("testStore").folder, "described-")), "statements"),
    given: [declared(name, columns)],
  });

test("a row type is correct if it has the statement's columns, and null where the table allows it", async () => {
  const columns = new Map([
    ["login", required],
    ["lockedUntil", nullable],
  ]);
  expect(await faultsOf("right", columns)).toEqual([]);
});

test.each<[string, NamedRead["columns"], string]>([
  ["too-few", new Map([["lockedUntil", nullable]]), "login is read and not declared"],
  [
    "too-many",
    new Map([
      ["login", required],
      ["lockedUntil", nullable],
      ["name", required],
    ]),
    "name is declared and not read",
  ],
  [
    "never-null",
    new Map([
      ["login", required],
      ["lockedUntil", required],
    ]),
    "lockedUntil may be null and is declared as if not",
  ],
])("a row type that differs is found: %s", async (name, columns, fault) => {
  // A cluster's coordinator does not report the table and column of a value.
  const isUnknown = name === "never-null" && inject("testStore").isSharded;
  expect(await faultsOf(name, columns)).toEqual(isUnknown ? [] : [`${name}: ${fault}`]);
});

test("the row type of every named prepared statement can be determined", () => {
  const reads = namedReads();
  expect(reads.length).toBeGreaterThan(25);
  expect(reads.find(({ name }) => name.test("credential-apiKey"))?.columns.get("login")).toEqual(
    required,
  );
});
