import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { answersBetween } from "@/bench/drill/judge";
import { until } from "@/bench/drill/servers";
import { migrateStore, migrationsFolder } from "@/lib/database/migrate";
import type { Drill, Row } from "./faults";

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Runs the work under the load; reports its duration and the callers' results until 3 seconds after it. */
async function underLoad({ diary }: Drill, work: () => Promise<string>): Promise<string> {
  const from = performance.now();
  const said = await work();
  const took = seconds(performance.now() - from);
  await pause(3000);
  const { good, bad, statuses } = answersBetween(diary, from, performance.now());
  return `${said} after ${took}; ${good} good answers, ${bad} failed (${statuses})`;
}

/** Adds a worker and moves shards to it. */
export async function addAndRebalance(drill: Drill): Promise<Row[]> {
  const { cluster } = drill;
  const result = await underLoad(drill, async () => {
    await cluster.addWorker();
    await cluster.query("select citus_rebalance_start()");
    const isOver = async () => {
      const rows = await cluster.query<{ state: string }>(
        "select state::text from citus_rebalance_status()",
      );
      return rows.some(({ state }) => ["finished", "failed", "cancelled"].includes(state));
    };
    await until(isOver, "the shards were moved", 600_000);
    const shards = await cluster.query<{ count: number }>(
      "select count(*)::int as count from citus_shards where table_name = 'tenants'::regclass group by nodeport order by nodeport",
    );
    return `shards on each worker: ${shards.map(({ count }) => count).join(", ")}`;
  });
  return [["a worker added, and rebalanced", result]];
}

/**
 * Gives a tenant a separate shard group and moves it to another node. The first step blocks writes: otherwise Citus 13.2 waits forever
 * if a row is changed before the new shards have their keys ("publisher did not send replica identity column").
 */
export async function isolateTenant(drill: Drill): Promise<Row[]> {
  const { cluster, tenants } = drill;
  const large = tenants.at(-1)?.tenant ?? "";
  const isolated = await underLoad(drill, async () => {
    await cluster.query(
      "select isolate_tenant_to_new_shard('tenants', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')",
      [large],
    );
    return "in a separate shard group";
  });
  const from = await cluster.portOf(large);
  const target = cluster.workers.find(({ port }) => port !== from)?.port ?? 0;
  const moved = await underLoad(drill, async () => {
    await cluster.query(
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('tenants', $1::text), '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')`,
      [large, from, target],
    );
    return (await cluster.portOf(large)) === target ? "on another node" : "not moved";
  });
  return [
    ["a tenant isolated", isolated],
    ["its shard group moved", moved],
  ];
}

const later = `CREATE TABLE "drill_notes" ("tenant_id" text COLLATE "C" NOT NULL, "note_id" text NOT NULL, CONSTRAINT "drill_notes_pk" PRIMARY KEY ("tenant_id","note_id"));
--> statement-breakpoint
ALTER TABLE "drill_notes" ADD CONSTRAINT "drill_notes_tenant_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id");
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "drill_remark" text;`;
const laterIndex = `CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_drill_index" ON "users" USING btree ("tenant_id","drill_remark");`;

/** The migrations of this release and two of a later one: a table and a column, and an index. */
function nextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-next-release-"));
  cpSync(migrationsFolder(), folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8"));
  for (const [n, text] of [later, laterIndex].entries()) {
    const [tag, when] = [`9999_drill_${n}`, Date.now() + n];
    writeFileSync(join(folder, `${tag}.sql`), text);
    journal.entries.push({ idx: 9998 + n, version: "7", when, tag, breakpoints: true });
  }
  writeFileSync(file, JSON.stringify(journal));
  return folder;
}

/** Migrates the store to a later release. This is the last step, because instances of this release do not start on it. */
export async function migrateLater(drill: Drill): Promise<Row[]> {
  const { cluster } = drill;
  const folder = nextRelease();
  const result = await underLoad(drill, async () => {
    await migrateStore({ connectionString: cluster.url }, undefined, folder);
    const found = await cluster.query<{ name: string }>(
      "select table_name::text as name from citus_tables where citus_table_type = 'distributed' and table_name = 'drill_notes'::regclass",
    );
    return found.length === 1 ? "its table is distributed" : "its table is not distributed";
  });
  rmSync(folder, { recursive: true, force: true });
  return [["a migration with a table, a column and an index", result]];
}
