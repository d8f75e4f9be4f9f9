import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { type Columns, type NamedRead, namedReads } from "./row-types";

/** A statement is described once in a run, however many test files prepare it: this file lists those without a fault. */
const faultlessIn = (file: string): ReadonlySet<string> =>
  new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);

const lineOf = (name: string, text: string) =>
  createHash("sha256").update(`${name} ${text}`).digest("base64url");

interface Described {
  url: string;
  statements: ReadonlyMap<string, string>;
  /** The file that lists correct statements. */
  noted: string;
  /** The declared types, instead of those of the product. */
  given?: readonly NamedRead[];
}

/**
 * The differences between a statement's columns and the row type that its caller declares: an extra or missing column, or one that
 * is nullable in the table but not in the type. Statements without a declared type are skipped.
 */
export async function rowFaults({ url, statements, noted, given }: Described): Promise<string[]> {
  const faultless = faultlessIn(noted);
  const fresh = [...statements].filter(([name, text]) => !faultless.has(lineOf(name, text)));
  if (fresh.length === 0) return [];
  const reads = given ?? namedReads();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const [name, text] of fresh) {
      const columns = reads.find((one) => one.name.test(name))?.columns;
      const found = columns ? await faultsOf(client, text, columns) : [];
      if (found.length === 0) appendFileSync(noted, `${lineOf(name, text)}\n`);
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    return faults;
  } finally {
    await client.end();
  }
}

/** Runs it with nulls: the result has no rows, but still has its columns and their origins. */
async function faultsOf(client: Client, text: string, columns: Columns): Promise<string[]> {
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
  const values = Array.from({ length: Math.max(0, ...places) }, () => null);
  const { fields } = await client.query({ text, values });
  const { rows } = await client.query<{ table: number; column: number }>(
    "select attrelid::int8::int as table, attnum as column from pg_attribute where attrelid = any($1::oid[]) and attnum > 0 and not attnotnull",
    [fields.map(({ tableID }) => tableID)],
  );
  const nullable = new Set(rows.map(({ table, column }) => `${table} ${column}`));
  const names = new Set(fields.map(({ name }) => name));
  return [
    ...[...columns]
      .filter(([name, { isOptional }]) => !isOptional && !names.has(name))
      .map(([name]) => `${name} is declared and not read`),
    ...[...names]
      .filter((name) => !columns.has(name))
      .map((name) => `${name} is read and not declared`),
    ...fields
      .filter(({ tableID, columnID }) => nullable.has(`${tableID} ${columnID}`))
      .filter(({ name }) => columns.get(name)?.isNullable === false)
      .map(({ name }) => `${name} may be null and is declared as if not`),
  ];
}
