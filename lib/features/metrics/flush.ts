import { isRetriable, storeFailure } from "@/lib/database/failures";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { attribute } from "./attribution";
import { labelKey } from "./call-labels";
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
const maxBytes = () => setting("METRICS_SPOOL_BYTES");
/** So many files wait as they are; then those of one minute become one. */
const maxSingle = 5;

interface QueuedBatch {
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
      new Map(cells.map((cell) => [labelKey(cell.values), cell])),
    ]),
  );
  for (const [tenantId, cells] of tenants) {
    const known = merged.get(tenantId) ?? new Map<string, RawCell>();
    merged.set(tenantId, known);
    for (const cell of cells) {
      const key = labelKey(cell.values);
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
async function rejectBatch(
  name: string,
  { seq, tenants }: SpoolBatch,
  error: unknown,
): Promise<number> {
  const calls = callsOf(tenants);
  log().error(
    { err: error, calls },
    "API metrics: the store rejected a batch, which was set aside and is not counted",
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
      await rejectBatch(name, batch, error);
    }
  }
  await closeSpool(name);
}

const logSyncFailure = (error: unknown) =>
  log().warn({ err: error }, "API metrics: the disk did not confirm a spool file");

/** The way from the recorder to the store: by a file that is deleted once all tenants have the batch. */
export class Flush {
  private readonly queue: QueuedBatch[] = [];
  private seq = 0;
  private bytes = 0;
  private droppedCalls = 0;
  private syncing: Promise<void> = Promise.resolve();

  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Puts what the recorder counted into the spool: it outlives the process from here on. */
  put(raw: RawBatch, since: number): void {
    if (raw.size === 0) return;
    const tenants = [...raw];
    const minute = Math.floor(since / minuteMs) * minuteMs;
    const last = this.queue.at(-1);
    const isBacklog =
      this.queue.length > maxSingle && last && !last.wasSent && last.batch.minute === minute;
    try {
      if (this.bytes > maxBytes() && !isBacklog) this.drop(callsOf(tenants));
      else if (isBacklog) this.spool(merge(last.batch, tenants), last);
      else this.spool({ seq: ++this.seq, minute, since, tenants });
    } catch (error) {
      log().error({ err: error }, "API metrics: the spool cannot be written");
      this.drop(callsOf(tenants));
    }
  }

  /** Sends the queue, the oldest batch first. Resolves to false when the store did not take it all. */
  async drain(): Promise<boolean> {
    for (let [first] = this.queue; first; [first] = this.queue) {
      first.wasSent = true;
      try {
        await sendBatch(this.name, first.batch);
        await deleteSpool(this.name, first.batch.seq);
      } catch (error) {
        if (mayPass(error)) return false;
        this.drop(await rejectBatch(this.name, first.batch, error));
      }
      this.queue.shift();
      this.bytes -= first.bytes;
    }
    return true;
  }

  pendingSince(): number | undefined {
    return this.queue[0]?.batch.since;
  }

  /** What waits for the store. */
  waiting(): { batches: number; bytes: number } {
    return { batches: this.queue.length, bytes: this.bytes };
  }

  dropped(): number {
    return this.droppedCalls;
  }

  private spool(batch: SpoolBatch, replaced?: QueuedBatch): void {
    const bytes = writeSpool(this.name, batch);
    this.syncing = this.syncing.then(() => syncSpool(this.name, batch.seq)).catch(logSyncFailure);
    this.bytes += bytes - (replaced?.bytes ?? 0);
    if (replaced) Object.assign(replaced, { batch, bytes });
    else this.queue.push({ batch, bytes, wasSent: false });
  }

  private drop(calls: number): void {
    this.droppedCalls += calls;
    log().error(
      { calls, dropped: this.droppedCalls },
      "API metrics: calls were dropped, for the spool is full or cannot be written",
    );
  }
}
