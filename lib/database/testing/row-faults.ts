import { Client } from "pg";
import { type Columns, type NamedRead, namedReads } from "./row-types";

/** Described once for each process, however many test files it runs. */
const described = new Set<string>();

/**
 * Where a statement's columns differ from the row type that its caller declares: a column too many or too few, or one that the table
 * lets be null and the type does not. Statements that nobody reads by a declared type are left out.
 */
export async function rowFaults(
  url: string,
  statements: ReadonlyMap<string, string>,
  given?: readonly NamedRead[],
): Promise<string[]> {
  const fresh = [...statements].filter(([name]) => !described.has(name));
  const reads = given ?? (fresh.length > 0 ? namedReads() : []);
  const known = fresh.flatMap(([name, text]) => {
    const read = reads.find((one) => one.name.test(name));
    return read ? [{ name, text, columns: read.columns }] : [];
  });
  if (known.length === 0) return [];
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const { name, text, columns } of known) {
      described.add(name);
      faults.push(...(await faultsOf(client, text, columns)).map((fault) => `${name}: ${fault}`));
    }
    return faults;
  } finally {
    await client.end();
  }
}

/** Asks with nulls: that finds nothing, and the answer still names its columns and where each comes from. */
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
