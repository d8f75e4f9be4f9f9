import { Client } from "pg";
import { distributeStore } from "@/lib/database/distribution";
import { databaseUrl, makeDatabase, nodesOf, onServer } from "./databases";

/** Prepares a Citus cluster for the schema: creates the database on each node, and adds the nodes by their names in the run's server. */
export async function joinNodes(server: string, name: string): Promise<void> {
  const nodes = await nodesOf(server);
  if (nodes.length === 1) return;
  for (const node of nodes) {
    await makeDatabase(node, name);
    await onServer(databaseUrl(node, name), "create extension citus");
  }
  const [coordinator = "", ...workers] = nodes.map(
    (node) => `'${new URL(node).hostname}', ${new URL(node).port || 5432}`,
  );
  const url = databaseUrl(server, name);
  await onServer(url, `select citus_set_coordinator_host(${coordinator})`);
  for (const worker of workers) await onServer(url, `select citus_add_node(${worker})`);
}

/** Distributes the migrated template, and closes it on each node: open connections of Citus would prevent copying it. */
export async function shardTemplate(server: string, name: string): Promise<void> {
  const nodes = await nodesOf(server);
  if (nodes.length === 1) return;
  const client = new Client({ connectionString: databaseUrl(server, name) });
  await client.connect();
  try {
    await distributeStore(client);
  } finally {
    await client.end();
  }
  for (const node of nodes) {
    await onServer(node, `alter database ${name} allow_connections false`);
    await onServer(
      node,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    );
  }
}
