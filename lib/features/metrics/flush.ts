import { isRetriable, storeFailure } from "@/lib/database/failures";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { attribute } from "./attribution";
import { minuteMs } from "./grains";
import type { RawBatch, RawCell } from "./recorder";
import {
  closeSpool,
  deleteSpool,
  listSpool,
  readSpool,
  type SpoolBatch,
  setAside,
  syncSpool,
  writeSpool,
} from "./spool";
import { writeCells } from "./write";

/** Bytes that may wait for a store that is away; what comes beyond is counted as dropped. */
const mostBytes = setting("METRICS_SPOOL_BYTES");
/** So many files wait as they are; then those of one minute become one. */
const mostSingle = 5;

interface Waiting {
  batch: SpoolBatch;
  bytes: number;
  /** It may have landed for some tenants: nothing may be added to it. */
  wasSent: boolean;
}

const callsOf = (tenants: [string, RawCell[]][]) =>
  tenants.reduce((sum, [, cells]) => sum + cells.reduce((all, { count }) => all + count, 0), 0);

function merge(into: SpoolBatch, tenants: [string, RawCell[]][]): SpoolBatch {
  const merged = new Map(
    into.tenants.map(([tenantId, cells]) => [
      tenantId,
      new Map(cells.map((cell) => [cell.values.join("\n"), cell])),
    ]),
  );
  for (const [tenantId, cells] of tenants) {
    const known = merged.get(tenantId) ?? new Map<string, RawCell>();
    merged.set(tenantId, known);
    for (const cell of cells) {
      const key = cell.values.join("\n");
      const { count = 0, latency = [] } = known.get(key) ?? {};
      known.set(key, {
        values: cell.values,
        count: count + cell.count,
        latency: [...latency, ...cell.latency],
      });
    }
  }
  return {
    ...into,
    tenants: [...merged].map(([tenantId, cells]) => [tenantId, [...cells.values()]]),
  };
}

/** Sends one batch to every tenant it has calls of. Throws when one of them did not take it. */
export async function sendBatch(
  source: string,
  { seq, minute, tenants }: SpoolBatch,
): Promise<void> {
  for (const [tenantId, raw] of tenants) {
    const cells = await attribute(tenantId, minute, raw);
    if (cells) await writeCells({ tenantId, source, seq }, cells);
  }
}

const mayPass = (error: unknown) => storeFailure(error) !== undefined || isRetriable(error);

/** Keeps a batch that the store will never take where it blocks no other, and says how many calls that is. */
async function refuse(name: string, { seq, tenants }: SpoolBatch, error: unknown): Promise<number> {
  const calls = callsOf(tenants);
  log().error(
    { err: error, calls },
    "API metrics: the store refused a batch, which was set aside and is not counted",
  );
  await setAside(name, seq).catch(() => undefined);
  return calls;
}

/** Sends what a killed process left, in its order. Throws when the store did not take it all. */
export async function replay(name: string): Promise<void> {
  for (const seq of await listSpool(name)) {
    const batch = await readSpool(name, seq);
    if (!batch) continue;
    try {
      await sendBatch(name, batch);
      await deleteSpool(name, seq);
    } catch (error) {
      if (mayPass(error)) throw error;
      await refuse(name, batch, error);
    }
  }
  await closeSpool(name);
}

const noteSyncFailure = (error: unknown) =>
  log().warn({ err: error }, "API metrics: the disk did not confirm a spool file");

/** The way from a swap to the store: by a file that is deleted once all tenants have the batch. */
export function openFlush(name: string) {
  const waiting: Waiting[] = [];
  let seq = 0;
  let bytes = 0;
  let dropped = 0;
  let syncing: Promise<void> = Promise.resolve();

  function drop(calls: number): void {
    dropped += calls;
    log().error(
      { calls, dropped },
      "API metrics: calls were dropped, for the spool is full or cannot be written",
    );
  }

  function keep(batch: SpoolBatch, replaced?: Waiting): void {
    const size = writeSpool(name, batch);
    syncing = syncing.then(() => syncSpool(name, batch.seq)).catch(noteSyncFailure);
    bytes += size - (replaced?.bytes ?? 0);
    if (replaced) Object.assign(replaced, { batch, bytes: size });
    else waiting.push({ batch, bytes: size, wasSent: false });
  }

  function forget(done: Waiting): void {
    waiting.shift();
    bytes -= done.bytes;
  }

  return {
    /** Puts a swap into the spool: it outlives the process from here on. */
    put(raw: RawBatch, since: number): void {
      if (raw.size === 0) return;
      const tenants = [...raw];
      const minute = Math.floor(since / minuteMs) * minuteMs;
      const last = waiting.at(-1);
      const isBacklog =
        waiting.length > mostSingle && last && !last.wasSent && last.batch.minute === minute;
      try {
        if (bytes > mostBytes && !isBacklog) drop(callsOf(tenants));
        else if (isBacklog) keep(merge(last.batch, tenants), last);
        else keep({ seq: ++seq, minute, since, tenants });
      } catch (error) {
        log().error({ err: error }, "API metrics: the spool cannot be written");
        drop(callsOf(tenants));
      }
    },

    /** Sends what waits, the oldest first. Answers false when the store did not take it all. */
    async drain(): Promise<boolean> {
      for (let [first] = waiting; first; [first] = waiting) {
        first.wasSent = true;
        try {
          await sendBatch(name, first.batch);
          await deleteSpool(name, first.batch.seq);
          forget(first);
        } catch (error) {
          if (mayPass(error)) return false;
          drop(await refuse(name, first.batch, error));
          forget(first);
        }
      }
      return true;
    },

    pendingSince: (): number | undefined => waiting[0]?.batch.since,
    dropped: (): number => dropped,
  };
}

export type Flush = ReturnType<typeof openFlush>;
