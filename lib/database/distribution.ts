import type { Client } from "pg";

/*
 * Tables that are sharded by tenant on a cluster of Citus:
 *
 *     tenants             distributed by tenant_id
 *     with tenant_id  distributed by it and co-located with tenants, parents of foreign keys first
 *     what has none       stays on the coordinator, which every instance talks to
 *
 * All rows of a tenant are then on one node, which executes the statements that name the tenant.
 */

/** The oldest tested release of Citus is 13.2. */
const minCitus = 13;

/** A table as the catalog describes it. */
export interface StoreTable {
  name: string;
  hasTenant: boolean;
  isDistributed: boolean;
  /** Other tables that foreign keys refer to. */
  parents: string[];
  /** Unique keys and foreign keys that do not contain tenant_id. */
  keysWithoutTenant: string[];
}

export interface DistributionPlan {
  /** Tables to distribute, in this order. */
  tables: string[];
  distributed: string[];
  local: string[];
}

const catalog = (isDistributed: string) => `
  select c.relname::text as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as "hasTenant",
    ${isDistributed} as "isDistributed",
    coalesce((
      select array_agg(distinct r.relname::text) from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
    ), '{}') as parents,
    coalesce((
      select array_agg(i.indexrelid::regclass::text) from pg_index i
      where i.indrelid = c.oid and i.indisunique and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum = any(i.indkey))
    ), '{}') || coalesce((
      select array_agg(k.conname::text) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f' and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum = any(k.conkey))
    ), '{}') as "keysWithoutTenant"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname <> 'tenants', c.relname`;

async function citusVersion(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  return rows[0]?.version;
}

/** The store's tables. Without Citus, none is distributed. */
export async function readStoreTables(client: Client): Promise<StoreTable[]> {
  const isDistributed =
    (await citusVersion(client)) === undefined
      ? "false"
      : "exists (select from pg_dist_partition p where p.logicalrelid = c.oid)";
  return (await client.query<StoreTable>(catalog(isDistributed))).rows;
}

/** The tables left to distribute, parents first. Throws an explanation if the schema cannot be sharded by tenant. */
export function planDistribution(tables: readonly StoreTable[]): DistributionPlan {
  const wanted = tables.filter(({ hasTenant }) => hasTenant);
  for (const { name, keysWithoutTenant } of wanted)
    if (keysWithoutTenant.length > 0)
      throw new Error(
        `${name} cannot be sharded by tenant: ${keysWithoutTenant.join(", ")} does not contain tenant_id.`,
      );
  const distributed = wanted.filter((table) => table.isDistributed).map(({ name }) => name);
  const done = new Set(distributed);
  const order: string[] = [];
  for (let left = wanted.filter(({ name }) => !done.has(name)); left.length > 0; ) {
    const next = left.find(({ parents }) => parents.every((parent) => done.has(parent)));
    if (!next)
      throw new Error(
        `These tables refer to a table that is not sharded, or to each other in a circle: ${left.map(({ name }) => name).join(", ")}.`,
      );
    done.add(next.name);
    order.push(next.name);
    left = left.filter((table) => table !== next);
  }
  const local = tables.filter(({ hasTenant }) => !hasTenant).map(({ name }) => name);
  return { tables: order, distributed, local };
}

/** Moves the rows of a table to the shards. A copy of them stays in the former local table on the coordinator. */
export function distributeStatement(table: string): string {
  const colocation = table === "tenants" ? "none" : "tenants";
  return `select create_distributed_table('public.${table}', 'tenant_id', colocate_with => '${colocation}')`;
}

/** Removes that copy. The server rejects it while an undistributed table refers to this one, so all are distributed first. */
export const truncateStatement = (table: string): string =>
  `select truncate_local_data_after_distributing_table('public.${table}')`;

/** The distributed tables with rows left on the coordinator: an empty table takes no space. */
const leftCopies = `
  select c.relname::text as name
  from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition and p.partmethod = 'h'
    and (select sum(pg_relation_size(t.relid)) from pg_partition_tree(c.oid) t where t.isleaf) > 0
  order by c.relname`;

/** Distributes functions that were created before Citus was installed; Citus itself distributes later ones. */
const handOnFunctions = `select create_distributed_function(f.oid::regprocedure)
  from pg_proc f
  where f.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
    and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = f.oid)`;

/** Within one transaction, a cluster accepts functions and tables only over a single connection to each node. */
const sequential = "set citus.multi_shard_modify_mode to 'sequential'";

/** Throws with the server's own message, which names tables and nodes for these statements, but no row. */
async function run(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const { message = "", detail = "" } = error as { message?: string; detail?: string };
    throw new Error(`The cluster rejects "${statement}": ${message}. ${detail}`, { cause: error });
  }
}

/** Distributes all tables before the first truncation. Each statement commits by itself, so a run after an interruption does the rest. */
async function distribute(client: Client, plan: DistributionPlan): Promise<void> {
  await client.query(sequential);
  await client.query(handOnFunctions);
  for (const table of plan.tables) await run(client, distributeStatement(table));
  const { rows } = await client.query<{ name: string }>(leftCopies);
  for (const { name } of rows) await run(client, truncateStatement(name));
}

/** Throws an explanation unless this is the coordinator of a cluster that can take the tables. */
async function assertCluster(client: Client): Promise<string> {
  const version = await citusVersion(client);
  if (version === undefined)
    throw new Error(
      "Citus is not installed in this database. Install it on every node, and in this database of each: CREATE EXTENSION citus; then add the workers on the coordinator (docs/operations/scale-out.md).",
    );
  if (Number.parseInt(version, 10) < minCitus)
    throw new Error(
      `Citus ${version} is older than ${minCitus}, the oldest release that this is known to work with.`,
    );
  const { rows } = await client.query<{ nodes: number }>(
    "select count(*)::int as nodes from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards",
  );
  if (!rows[0]?.nodes)
    throw new Error(
      "The cluster has no node for shards. Add one on the coordinator: SELECT citus_add_node('worker-1.internal', 5432);",
    );
  return `Citus ${version}, ${rows[0].nodes} nodes for shards`;
}

/** Nodes where JIT is not switched off in the database. */
const compilingNodes = `select nodename || ':' || nodeport as node
  from run_command_on_all_nodes($$
    select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = 0 and 'jit=off' = any(s.setconfig)$$) r
  join pg_dist_node n using (nodeid)
  where not r.success or r.result <> '1'
  order by 1`;

/**
 * The settings of a connection apply to the coordinator only. Compiling statements (JIT) adds seconds to a metrics query on a node as on a
 * single server, so it is switched off for the database of each: Citus distributes that, while a node rejects the setting if sent directly.
 * Returns a line about the nodes where it is still on.
 */
async function switchOffJit(client: Client): Promise<string[]> {
  const { rows: names } = await client.query<{ name: string }>(
    "select quote_ident(current_database()) as name",
  );
  const reason = await client.query(`alter database ${names[0]?.name} set jit = off`).then(
    () => "",
    (error: Error) => `: ${error.message}`,
  );
  const { rows } = await client.query<{ node: string }>(compilingNodes);
  if (rows.length === 0) return [];
  const nodes = rows.map(({ node }) => node).join(", ");
  return [`Set jit = off in this database of ${nodes}${reason}.`];
}

/** Distributes the remaining tables, and returns lines about what it did. */
export async function distributeStore(client: Client): Promise<string[]> {
  const cluster = await assertCluster(client);
  const plan = planDistribution(await readStoreTables(client));
  await distribute(client, plan);
  return [
    `${cluster}.`,
    ...(await switchOffJit(client)),
    plan.tables.length === 0
      ? "Nothing to do."
      : `Distributed by tenant: ${plan.tables.join(", ")}.`,
    `Distributed before: ${plan.distributed.length === 0 ? "none" : plan.distributed.join(", ")}.`,
    `On the coordinator: ${plan.local.join(", ")}.`,
  ];
}

/** Call after migrations: distributes the new tables of a distributed store. Costs any other store one catalog query. */
export async function distributeNewTables(client: Client): Promise<void> {
  if ((await citusVersion(client)) === undefined) return;
  const plan = planDistribution(await readStoreTables(client));
  if (plan.distributed.includes("tenants")) await distribute(client, plan);
}
