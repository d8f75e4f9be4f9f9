import { noteWork, perProcess } from "@/lib/protocol/per-process";
import { db } from "./open";

/** The server's counters since its start: the times are those of all checkpoints together. */
export interface CheckpointCounts {
  done: number;
  writeMs: number;
  syncMs: number;
}

/** From PostgreSQL 18 on, the view has the number done; before, its counts include checkpoints without work. */
const newView = `select coalesce((to_jsonb(c) ->> 'num_done')::float8, c.num_timed + c.num_requested) as done,
  c.write_time as "writeMs", c.sync_time as "syncMs" from pg_stat_checkpointer c`;
const oldView = `select (checkpoints_timed + checkpoints_req)::float8 as done,
  checkpoint_write_time as "writeMs", checkpoint_sync_time as "syncMs" from pg_stat_bgwriter`;

const state = perProcess("checkpoints", (): { text?: string; last?: CheckpointCounts } => ({}));

async function viewOfServer(): Promise<string> {
  const { rows } = await db().$client.query<{ isNew: boolean }>(
    `select to_regclass('pg_catalog.pg_stat_checkpointer') is not null as "isNew"`,
  );
  return rows[0]?.isNew ? newView : oldView;
}

/** The checkpoints between two readings and their mean duration; none if the server has reset its counters. */
export function checkpointsBetween(
  before: CheckpointCounts,
  after: CheckpointCounts,
): { count: number; writeMs: number; syncMs: number } {
  const [writeMs, syncMs] = [after.writeMs - before.writeMs, after.syncMs - before.syncMs];
  if (writeMs < 0 || syncMs < 0 || writeMs + syncMs === 0)
    return { count: 0, writeMs: 0, syncMs: 0 };
  // A checkpoint in progress may be in the count before its time is.
  const count = Math.max(1, after.done - before.done);
  return { count, writeMs: writeMs / count, syncMs: syncMs / count };
}

/** Reads how long the server's checkpoints took since the last call. */
export async function noteCheckpoints(): Promise<void> {
  state().text ??= await viewOfServer();
  const { rows } = await db().$client.query<CheckpointCounts>(state().text ?? newView);
  const [now] = rows;
  const { last } = state();
  if (!now) return;
  state().last = now;
  if (!last) return;
  const { count, writeMs, syncMs } = checkpointsBetween(last, now);
  for (let n = 0; n < count; n += 1) {
    noteWork("checkpoint-write", writeMs);
    noteWork("checkpoint-sync", syncMs);
  }
}
