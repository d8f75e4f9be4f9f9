import type { Client } from "pg";

/** A table at the time of the backup, without computed columns. */
export interface BackupTable {
  name: string;
  columns: string[];
}

/** One partition of a partitioned table, created before its rows are restored. */
export interface BackupPartition {
  table: string;
  name: string;
  /** As PostgreSQL prints it: "FOR VALUES FROM (...) TO (...)". */
  bound: string;
}

export interface Manifest {
  /** When the snapshot was taken, by the store's clock. */
  takenAt: string;
  server: string;
  /** The creation time of each migration of the store: milliseconds since the epoch. */
  migrations: number[];
  /** Referenced tables before those that refer to them. */
  tables: BackupTable[];
  partitions: BackupPartition[];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const tables = `
  select c.relname as name, (
      select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    coalesce((
      select array_agg(distinct r.relname::text) from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ), '{}') as parents
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;

const partitions = `
  select p.relname as table, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = 'public'::regnamespace and p.relkind = 'p' order by c.relname`;

interface CatalogTable extends BackupTable {
  parents: string[];
}

/** Sorts each table after those that it refers to. */
export function inOrder(found: readonly CatalogTable[]): BackupTable[] {
  const placed = new Map<string, BackupTable>();
  while (placed.size < found.length) {
    const next = found.filter(
      ({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)),
    );
    if (next.length === 0) throw new Error("The store's tables refer to each other in a circle.");
    for (const { name, columns } of next) placed.set(name, { name, columns });
  }
  return [...placed.values()];
}

/** The tables of the store, referenced ones first. */
export async function readTables(client: Client): Promise<BackupTable[]> {
  return inOrder((await client.query<CatalogTable>(tables)).rows);
}

/** The content of the store, in the open transaction. */
export async function readManifest(client: Client): Promise<Manifest> {
  const known = await client.query("select to_regclass('drizzle.__drizzle_migrations') as kept");
  if (known.rows[0]?.kept === null)
    throw new Error("This store has no schema yet: there is nothing to back up.");
  const { rows: made } = await client.query<{ at: string }>(
    "select created_at as at from drizzle.__drizzle_migrations order by created_at",
  );
  const { rows: now } = await client.query<{ at: string; server: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, current_setting('server_version') as server`,
  );
  return {
    takenAt: now[0]?.at ?? "",
    server: now[0]?.server ?? "",
    migrations: made.map(({ at }) => Number(at)),
    tables: await readTables(client),
    partitions: (await client.query<BackupPartition>(partitions)).rows,
  };
}

const isName = (name: unknown) => typeof name === "string" && /^[a-z_][a-z0-9_]{0,62}$/.test(name);
const isBound = (text: unknown) =>
  typeof text === "string" && /^FOR VALUES FROM \('[\d :.+-]+'\) TO \('[\d :.+-]+'\)$/.test(text);

/** Rejects what this product never writes: names and bounds become part of statements. */
export function parseManifest(content: Buffer): Manifest {
  const manifest = JSON.parse(content.toString()) as Manifest;
  const isWell =
    manifest.migrations.every(Number.isInteger) &&
    manifest.tables.every(({ name, columns }) => isName(name) && columns.every(isName)) &&
    manifest.partitions.every(
      ({ table, name, bound }) => isName(table) && isName(name) && isBound(bound),
    );
  if (!isWell) throw new Error("The backup is damaged: its list of tables is ill-formed.");
  return manifest;
}
