import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import * as schema from "@/lib/database/schema/schema";
import { foreignTables, tablesNamed } from "./testing/foreign-tables";
import { tableOwners } from "./testing/table-owners";

/** The tables in the statements of each file: the sources are parsed once. */
let named: ReadonlyMap<string, ReadonlySet<string>>;

beforeAll(async () => {
  const folders = ["app", "components", "lib"];
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(projectRoot(), folder), { recursive: true }))
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => `${folder}/${file}`),
    ),
  );
  const texts = await Promise.all(
    files
      .flat()
      .map(async (file) => [file, await readFile(join(projectRoot(), file), "utf8")] as const),
  );
  named = new Map(texts.map(([file, source]) => [file, tablesNamed(file, source)]));
});

test("only its owners have statements on a table", () => {
  expect([...named].flatMap(([file, tables]) => foreignTables(file, tables))).toEqual([]);
});

test("every listed owner still has a statement on its table", () => {
  const idle = Object.entries(tableOwners).flatMap(([table, files]) =>
    files.filter((file) => !named.get(file)?.has(table)).map((file) => `${file}: ${table}`),
  );
  expect(idle).toEqual([]);
});

/** Used only by lib/database, or with a computed name (lib/features/metrics/grains.ts). */
const withoutOwners = [
  "metric_days",
  "metric_minutes",
  "metric_quarters",
  "metric_quarters_cube",
  "signing_keys",
  "store_clock",
];

test("every table of the schema has its owners", () => {
  const tables = Object.values(schema).flatMap((table) =>
    is(table, PgTable) ? [getTableName(table)] : [],
  );
  expect(tables.filter((table) => !(table in tableOwners)).sort()).toEqual(withoutOwners);
});

const planted: [rule: string, file: string, source: string][] = [
  [
    "a table object",
    "lib/features/users/a.ts",
    'import { sessions } from "@/lib/database/schema/schema";',
  ],
  ["a statement", "lib/features/users/a.ts", 'const text = "select 1 from sessions";'],
  [
    "a statement in a template",
    "lib/http/a.ts",
    "const text = sql`update api_keys set name = $".concat("{name}`;"),
  ],
  ["a statement of a page", "app/a.ts", 'const text = "delete from audit_events";'],
];

test.each(planted)("finds a planted violation: %s", (_, file, source) => {
  expect(foreignTables(file, tablesNamed(file, source))).toHaveLength(1);
});
