import { asOwner } from "@/lib/database/owner";
import { dayMs, type Keep, keeps, keptSince, partitionOf, writtenSince } from "./grains";

/** Any number, the same in every release: the advisory lock of the one process that makes partitions. */
const making = 1_204_913_377;

/** Partitions exist this far ahead, so that a clock that runs fast finds one. */
const aheadMs = 2 * dayMs;

const state = globalThis as {
  gatehousePartitions?: { day: number; made: Promise<void> } | undefined;
};

const name = (keep: Keep, from: number) =>
  `${keep.table}_${new Date(from).toISOString().slice(0, 10).replaceAll("-", "")}`;

function wanted(keep: Keep, now: number): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = writtenSince(keep, now); at <= now + aheadMs; ) {
    const { from, to } = partitionOf(keep, at);
    const bounds = `from ('${new Date(from).toISOString()}') to ('${new Date(to).toISOString()}')`;
    found.set(
      name(keep, from),
      `create table if not exists ${name(keep, from)} partition of ${keep.table} for values ${bounds}`,
    );
    at = to;
  }
  return found;
}

type Run = (text: string) => Promise<string[]>;

async function maintain(run: Run, now: number): Promise<void> {
  await run(`select pg_advisory_lock(${making})::text as name`);
  try {
    for (const keep of keeps) {
      const here =
        await run(`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = '${keep.table}'::regclass`);
      const needed = wanted(keep, now);
      for (const [partition, text] of needed) if (!here.includes(partition)) await run(text);
      const oldest = name(keep, partitionOf(keep, keptSince(keep, now)).from);
      for (const partition of here)
        if (partition < oldest) await run(`drop table if exists ${partition}`);
    }
  } finally {
    await run(`select pg_advisory_unlock(${making})::text as name`);
  }
}

/** Runs on one connection: the advisory lock is its. */
function withConnection(work: (run: Run) => Promise<void>): Promise<void> {
  return asOwner(async ({ $client }) => {
    const client = await $client.connect();
    try {
      await work(async (text) =>
        (await client.query<{ name: string }>(text)).rows.map((row) => row.name),
      );
    } finally {
      client.release();
    }
  });
}

/** Makes the partitions that today's writes need and drops those past their time. Once a day and process, unless it failed. */
export function preparePartitions(now = Date.now()): Promise<void> {
  const day = Math.floor(now / dayMs);
  if (state.gatehousePartitions?.day !== day) {
    const made = withConnection((run) => maintain(run, now));
    state.gatehousePartitions = { day, made };
    made.catch(() => {
      state.gatehousePartitions = undefined;
    });
  }
  return state.gatehousePartitions.made;
}
