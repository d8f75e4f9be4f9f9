import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client, type QueryResultRow } from "pg";
import { createOwnFolder, killAll, postgresUser, processesOf } from "@/bench/drill/servers";
import { freePort } from "@/lib/server/testing/product";

/** A server of the cluster. */
export interface Node {
  port: number;
  data: string;
}

/** A Citus cluster of this machine: a coordinator and workers, whose database is `gatehouse`. */
export interface CitusCluster {
  url: string;
  coordinator: Node;
  workers: Node[];
  kill(node: Node): void;
  start(node: Node): Promise<void>;
  addWorker(): Promise<Node>;
  /** A statement on the coordinator. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The node with the rows of a tenant. */
  portOf(tenant: string): Promise<number>;
  stop(): void;
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
citus.shard_count = 8
citus.node_conninfo = 'sslmode=disable'
max_connections = 300
max_prepared_transactions = 300
max_worker_processes = 24
max_replication_slots = 20
max_wal_senders = 20
wal_level = logical
`;

const database = "gatehouse";
const urlOf = ({ port }: Node, name = database) => `postgres://postgres@127.0.0.1:${port}/${name}`;

/** The folder with the programs of a PostgreSQL with Citus. Throws with an explanation if there is none. */
export function citusPrograms(): string {
  const given = process.env.PG_BIN ?? "/usr/lib/postgresql/15/bin";
  const config = spawnSync(join(given, "pg_config"), ["--pkglibdir"], { encoding: "utf8" });
  if (config.status === 0 && existsSync(join(config.stdout.trim(), "citus.so"))) return given;
  throw new Error(
    `There is no PostgreSQL with Citus in ${given}. PG_BIN says where its programs are; Citus: https://docs.citusdata.com.`,
  );
}

async function on<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Runs a program of PostgreSQL as its user without blocking the load; processes that it starts do not keep our output open. */
async function run(program: string, given: readonly string[], folder: string): Promise<void> {
  const child = spawn(program, given, { ...postgresUser(), cwd: folder, stdio: "ignore" });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`${program} ${given.join(" ")} ended with ${status}.`);
}

async function createNode(folder: string, programs: string): Promise<Node> {
  const node = { port: await freePort(), data: join(folder, `node-${await freePort()}`) };
  createOwnFolder(node.data, postgresUser());
  const initdb = ["-D", node.data, "-A", "trust", "-U", "postgres", "--locale=C.UTF-8"];
  await run(join(programs, "initdb"), initdb, folder);
  appendFileSync(join(node.data, "postgresql.conf"), `${settings}port = ${node.port}\n`);
  await startNode(node, programs);
  await on(urlOf(node, "postgres"), `create database ${database}`);
  await on(urlOf(node), "create extension citus");
  return node;
}

async function startNode({ data }: Node, programs: string): Promise<void> {
  const given = ["-D", data, "-l", join(data, "server.log"), "-w", "-t", "120", "start"];
  await run(join(programs, "pg_ctl"), given, data);
}

/** Starts a coordinator and as many workers below the folder. */
export async function startCitus(folder: string, workerCount: number): Promise<CitusCluster> {
  const programs = citusPrograms();
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  const coordinator = await createNode(folder, programs);
  const url = urlOf(coordinator);
  const workers: Node[] = [];
  const query = <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
    on<Row>(url, text, values);
  const addWorker = async () => {
    const worker = await createNode(folder, programs);
    await query("select citus_add_node('127.0.0.1', $1)", [worker.port]);
    workers.push(worker);
    return worker;
  };
  await query("select citus_set_coordinator_host('127.0.0.1', $1)", [coordinator.port]);
  while (workers.length < workerCount) await addWorker();
  return {
    url,
    coordinator,
    workers,
    kill: ({ data }) => killAll(processesOf(data)),
    start: (node) => startNode(node, programs),
    addWorker,
    query,
    async portOf(tenant) {
      const [row] = await query<{ port: number }>(
        `select nodeport as port from citus_shards where table_name = 'tenants'::regclass
         and shardid = get_shard_id_for_distribution_column('tenants', $1::text)`,
        [tenant],
      );
      return row?.port ?? 0;
    },
    stop() {
      for (const { data } of [coordinator, ...workers]) killAll(processesOf(data));
    },
  };
}
