import { storeNow } from "@/lib/database/clock";
import { tenantsWithTails } from "@/lib/database/global";
import type { Loan } from "@/lib/database/loan";
import { lane } from "@/lib/database/open";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { cube, sqlEntry, sqlPlace } from "./call-labels";
import { type GrainName, type RetentionTier, retentionTiers } from "./grains";
import {
  forgetPartitions,
  isPartitionMissing,
  preparePartitions,
  type Range,
  type Written,
} from "./partitions";

/** The entries of one statement: each of their rows is written once, and the statement ends long before its timeout. */
const maxEntries = 400_000;

const cubeTiers = retentionTiers.filter(({ holds }) => holds(cube));

interface Source {
  /** The SQL expression of a row's start time, from its number. */
  at: string;
  /** Selects the calls by series, row number, slot in the row and latency bucket. */
  from: (kept: string) => string;
}

const firstDay = "date '1970-01-01'";

/** Each grain's slots are numbered from the epoch: integers sort and group fastest. */
const sources: Record<GrainName, Source> = {
  minute: {
    at: "to_timestamp(number * 3600::float8)",
    from: (
      kept,
    ) => `select series_id, minute / 60 as number, minute % 60 as slot, bucket, calls from entries where bucket < 0 and minute <@ ${kept}
      union all select series_id, minute / 60, minute % 60, bucket, sum(calls)::bigint from entries where bucket >= 0 and minute <@ ${kept}
      group by 1, 2, 3, 4`,
  },
  quarter: {
    at: "to_timestamp(number * 86400::float8)",
    from: (kept) =>
      `select series_id, quarter / 96 as number, quarter % 96 as slot, bucket, calls from quarters where quarter <@ ${kept}`,
  },
  day: {
    at: `(${firstDay} + number)::timestamp at time zone 'UTC'`,
    from: (kept) => `select series_id, day - slot as number, slot, bucket, calls
      from (select series_id, day, extract(day from ${firstDay} + day)::int - 1 as slot, bucket, calls
        from (select series_id, quarter / 96 as day, bucket, sum(calls)::bigint as calls from quarters
          where quarter / 96 <@ ${kept} group by 1, 2, 3) as days) as placed`,
  },
};

/** Writes the counts per slot and the latency entries of each row into the table of a tier. */
function packInto({ table, grain }: RetentionTier, kept: string, isWide: boolean): string {
  const { at, from } = sources[grain.name];
  const counts = `metric_slots(array_agg(slot) filter (where bucket < 0), array_agg(calls) filter (where bucket < 0), ${grain.slots})`;
  const none = `array_fill(0, array[${grain.slots}])`;
  return `into_${table} as (
    insert into ${table} (tenant_id, shape, at, series_id, counts, wide, latency)
    select $1, ${cube}, ${at}, series_id, ${isWide ? `${none}, ${counts}` : `${counts}::int[], null::bigint[]`},
      array_agg(${sqlEntry("calls", sqlPlace("slot", "bucket"))}) filter (where bucket >= 0)
    from (${from(kept)}) as slots
    group by number, series_id
    order by number, series_id
    on conflict (tenant_id, shape, at, series_id) do update set
      counts = metric_add(${table}.counts, excluded.counts),
      wide = coalesce(metric_add(${table}.wide, excluded.wide), ${table}.wide, excluded.wide),
      latency = coalesce(metric_fold(${table}.latency, excluded.latency), ${table}.latency, excluded.latency))`;
}

/** One statement moves entries from metric_tails into rows: a process that is killed has done nothing or all of it. */
const statement = (isWide: boolean) => `with chosen as (
    select source, seq from (
      select source, seq, sum(entries) over (order by landed_at, source, seq) - entries as before
      from metric_tails where tenant_id = $1) as queue
    where before < ${maxEntries}),
  taken as (
    delete from metric_tails t using chosen
    where t.tenant_id = $1 and t.source = chosen.source and t.seq = chosen.seq
    returning t.entries, t.series_ids, t.minutes, t.buckets, t.calls),
  entries as materialized (
    select e.series_id, e.minute, e.bucket, e.calls
    from taken cross join unnest(taken.series_ids, taken.minutes, taken.buckets, taken.calls) as e (series_id, minute, bucket, calls)),
  quarters as materialized (
    select series_id, minute / 15 as quarter, bucket, sum(calls)::bigint as calls from entries group by 1, 2, 3),
  ${cubeTiers.map((tier, index) => packInto(tier, `$${index + 2}::int4multirange`, isWide)).join(",\n  ")}
  select coalesce(sum(entries), 0)::int as entries from taken`;

const statements = { plain: statement(false), wide: statement(true) };

/** Allows memory and time to group hundreds of thousands of entries without the disk; no request waits for it. */
async function withRoom<Answer>(work: (client: Loan) => Promise<Answer>): Promise<Answer> {
  const client = await lane("metrics").connect({ patienceMilliseconds: 65_000 });
  try {
    await client.query("begin");
    await client.query("set local work_mem = '64MB'");
    await client.query("set local statement_timeout = '60s'");
    // Another process may be packing the same entries: then none are left once it has finished.
    await client.query("set local lock_timeout = '60s'");
    const answer = await work(client);
    await client.query("commit");
    client.release();
    return answer;
  } catch (error) {
    // Closes the connection, so that a statement still running on it ends too.
    client.release(true);
    throw error;
  }
}

export const isOutOfRange = (error: unknown) => (error as { code?: string }).code === "22003";

/** Ranges of slot numbers in the syntax of a PostgreSQL multirange: `{[494280,494304)}`. */
const slotRanges = (ranges: readonly Range[], slotMs: number) =>
  `{${ranges.map(([from, to]) => `[${from / slotMs},${to / slotMs})`).join(",")}}`;

async function packSome(tenantId: string, written: Written): Promise<number> {
  const values = [
    tenantId,
    ...cubeTiers.map((tier) => slotRanges(written.get(tier) ?? [], tier.grain.slotMs)),
  ];
  const run = (form: keyof typeof statements) =>
    withRoom(async (client) => {
      const query = { name: `metrics-compact-${form}`, text: statements[form], values };
      const { rows } = await client.query<{ entries: number }>(query);
      return rows[0]?.entries ?? 0;
    });
  return run("plain").catch((error: unknown) => {
    if (isOutOfRange(error)) return run("wide");
    throw error;
  });
}

/** Packs the tenant's pending entries. Safe to kill, and to run concurrently. */
export async function compact(tenantId: string, now = storeNow()): Promise<void> {
  const pack = async () => packSome(tenantId, await preparePartitions(now));
  const packAgain = (error: unknown) => {
    if (!isPartitionMissing(error)) throw error;
    forgetPartitions();
    return pack();
  };
  while ((await pack().catch(packAgain)) >= maxEntries);
}

/** Packs the pending entries of all tenants, one after the other. */
export async function compactAll(): Promise<void> {
  for (const tenantId of await tenantsWithTails()) {
    await compact(tenantId).catch((error: unknown) =>
      log().warn({ err: error }, "API metrics: pending entries are packed later"),
    );
  }
}

/** Packing of tenants with too many pending entries: one at a time, because writing the counts needs the connections too. */
const packing = perProcess("metrics-packing", () => ({ last: Promise.resolve() }));

function packSoon(tenantId: string): Promise<void> {
  const queued = packing()
    .last.then(() => compact(tenantId))
    .catch((error: unknown) =>
      log().warn({ err: error }, "API metrics: pending entries are packed later"),
    );
  packing().last = queued;
  return queued;
}

interface Growth {
  entries: number;
  packing: Promise<void> | undefined;
}

const growths = perProcess("metrics-growth", () => new Map<string, Growth>());

/** Adds the entries of a write to the tenant's count: many are packed soon, and a faster writer waits for the packing. */
export async function notePendingEntries(tenantId: string, entries: number): Promise<void> {
  const growth = growths().get(tenantId) ?? { entries: 0, packing: undefined };
  growths().set(tenantId, growth);
  growth.entries += entries;
  if (growth.entries < maxEntries) return;
  if (growth.packing) await growth.packing;
  growth.entries = 0;
  growth.packing = packSoon(tenantId).finally(() => growths().delete(tenantId));
}
