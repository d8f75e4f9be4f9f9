import {
  failed,
  isInternalFailure,
  isNodeAway,
  isRetriable,
  storeFailure,
} from "@/lib/database/failures";
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
/** How many files wait as they are; then those of one minute become one. */
const maxSingle = 5;

interface QueuedBatch {
  batch: SpoolBatch;
  bytes: number;
  /** It may have landed for some tenants: nothing may be added to it. */
  wasSent: boolean;
  /** All other tenants have it: what is left waits for a node of the cluster. */
  isRest?: boolean;
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

/**
 * Sends one batch to every tenant it has calls of, and returns what is left: the calls of tenants whose node of the cluster is away.
 * Throws when the store failed otherwise; a tenant that has the batch already takes it once.
 */
export async function sendBatch(
  source: string,
  { seq, minute, tenants }: SpoolBatch,
): Promise<SpoolBatch["tenants"]> {
  const left: SpoolBatch["tenants"] = [];
  for (const [tenantId, raw] of tenants)
    try {
      const cells = await attribute(tenantId, minute, raw);
      if (cells) await writeCells({ tenantId, source, seq }, cells);
    } catch (error) {
      if (!isNodeAway(error)) throw error;
      left.push([tenantId, raw]);
    }
  return left;
}

/** A fault of the store itself is given this long to pass: other batches wait behind. */
const internalFailureMs = 15 * minuteMs;

const mayPass = (error: unknown, { minute }: SpoolBatch) =>
  storeFailure(error) !== undefined ||
  isRetriable(error) ||
  (isInternalFailure(error) && Date.now() - minute < internalFailureMs);

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
  let isLeft = false;
  for (const seq of await listSpool(name)) {
    const batch = await readSpool(name, seq);
    if (!batch) continue;
    try {
      const left = await sendBatch(name, batch);
      if (left.length === 0) await deleteSpool(name, seq);
      else isLeft = true;
    } catch (error) {
      if (mayPass(error, batch)) throw error;
      await rejectBatch(name, batch, error);
    }
  }
  if (isLeft) throw failed("08006", "A node of the store's cluster is away.");
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

  /**
   * Sends the queue, the oldest batch first. Resolves to false when the store did not take it all. Of what is left for a node that is
   * away only the oldest is tried again before the node is back, and later batches go on to the other tenants.
   */
  async drain(): Promise<boolean> {
    let isNodeDown = false;
    for (let at = 0, next = this.queue[0]; next; next = this.queue[at]) {
      if (isNodeDown && next.isRest) {
        at += 1;
        continue;
      }
      next.wasSent = true;
      try {
        const left = await sendBatch(this.name, next.batch);
        if (left.length > 0) {
          isNodeDown = true;
          this.keep(next, left);
          at += 1;
          continue;
        }
        await deleteSpool(this.name, next.batch.seq);
      } catch (error) {
        if (mayPass(error, next.batch)) return false;
        this.drop(await rejectBatch(this.name, next.batch, error));
      }
      this.queue.splice(at, 1);
      this.bytes -= next.bytes;
    }
    return !isNodeDown;
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

  /** The file may go on holding what others have: sent again, they take it once. */
  private keep(queued: QueuedBatch, left: SpoolBatch["tenants"]): void {
    queued.isRest = true;
    if (left.length === queued.batch.tenants.length) return;
    try {
      this.spool({ ...queued.batch, tenants: left }, queued);
    } catch (error) {
      log().error({ err: error }, "API metrics: the spool cannot be written");
    }
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
