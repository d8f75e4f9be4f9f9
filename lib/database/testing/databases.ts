import { Client, type QueryResultRow } from "pg";

declare module "vitest" {
  export interface ProvidedContext {
    /** The run's server, its template database (whose name every other begins with), its folder, and whether it is a cluster of Citus. */
    testStore: { server: string; run: string; folder: string; isSharded: boolean };
  }
}

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a separate connection, such as CREATE DATABASE. */
export async function onServer<Row extends QueryResultRow>(
  server: string,
  text: string,
): Promise<Row[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** As above, also on a cluster, where a setting allows triggers on distributed tables. Elsewhere the setting has no effect. */
export function onTriggers(server: string, text: string): Promise<QueryResultRow[]> {
  const url = new URL(server);
  url.searchParams.set("options", "-c citus.enable_unsafe_triggers=on");
  return onServer(url.href, text);
}

/** Creates a missing database without tables, only on this server: on a cluster it is a store that is not distributed. */
export const makeDatabase = (server: string, name: string): Promise<void> =>
  create(server, name, "template1");

/** Creates a missing copy of a database; on a cluster, from the run's template on each node. */
export async function copyDatabase(server: string, name: string, template: string): Promise<void> {
  const nodes = await nodesOf(server);
  for (const node of nodes) {
    await create(node, name, template);
    // As `npm run db:distribute` sets it: a copy does not have the settings of its template.
    if (nodes.length > 1) await onServer(node, `alter database ${name} set jit = off`);
  }
}

async function create(server: string, name: string, template: string): Promise<void> {
  try {
    await onServer(server, `create database ${name} template ${template}`);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "42P04";
    if (!exists) throw error;
  }
}

export const dropDatabase = (server: string, name: string): Promise<void> =>
  drop(server, `datname = '${name}'`);

/** Drops every database whose name starts with this. */
export const dropDatabases = (server: string, prefix: string): Promise<void> =>
  drop(server, `starts_with(datname, '${prefix}')`);

async function drop(server: string, condition: string): Promise<void> {
  const nodes = await nodesOf(server);
  for (const node of nodes) {
    const found = await onServer<{ name: string }>(
      node,
      `select datname as name from pg_database where ${condition}`,
    );
    for (const { name } of found) {
      // The connections of Citus to a database are opened again before it can be dropped.
      if (nodes.length > 1) await onServer(node, `alter database ${name} allow_connections false`);
      await onServer(node, `drop database ${name} with (force)`);
    }
  }
}

const knownNodes = new Map<string, string[]>();

/** The given server, followed by the workers if its database is the coordinator of a Citus cluster. */
export async function nodesOf(server: string): Promise<string[]> {
  const known = knownNodes.get(server);
  if (known !== undefined) return known;
  const [citus] = await onServer(server, "select from pg_extension where extname = 'citus'");
  const workers = citus
    ? await onServer<{ host: string; port: number }>(
        server,
        "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid",
      )
    : [];
  const nodes = [
    server,
    ...workers.map(({ host, port }) => {
      const url = new URL(server);
      url.hostname = host;
      url.port = String(port);
      return url.href;
    }),
  ];
  knownNodes.set(server, nodes);
  return nodes;
}
