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

/** Bytes that may be pending while the database is unavailable; calls beyond that count as dropped. */
const maxBytes = () => setting("METRICS_SPOOL_BYTES");
/** Pending files up to which none are merged; beyond it those of one minute become one. */
const maxSingle = 5;

interface QueuedBatch {
  batch: SpoolBatch;
  bytes: number;
  /** Some tenants may already have the batch: nothing may be added to it. */
  wasSent: boolean;
  /** All other tenants have the batch: the rest waits for a node of the cluster. */
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
 * Writes one batch for every tenant in it, and returns the rest: the calls of tenants whose cluster node is unavailable. Throws on
 * other database failures; a tenant that already has the batch ignores it.
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

/** How long an internal fault of the database is retried: it blocks the batches after it. */
const internalFailureMs = 15 * minuteMs;

const mayPass = (error: unknown, { minute }: SpoolBatch) =>
  storeFailure(error) !== undefined ||
  isRetriable(error) ||
  (isInternalFailure(error) && Date.now() - minute < internalFailureMs);

/** Sets aside a batch that the database will never accept, so that it blocks no other, and returns its number of calls. */
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

/** Sends the batches of a killed process in order. Throws if the database did not accept all of them. */
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

/** Moves batches from the recorder to the database, through a file that is deleted once all tenants have the batch. */
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

  /** Writes the recorder's counts to the spool, where they survive the process. */
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
   * Sends the queue, the oldest batch first. Resolves to false if the database did not accept all of it. While a node is unavailable
   * only the oldest batch for it is retried, and later batches are still sent to the other tenants.
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

  /** The batches that are not in the database yet. */
  waiting(): { batches: number; bytes: number } {
    return { batches: this.queue.length, bytes: this.bytes };
  }

  dropped(): number {
    return this.droppedCalls;
  }

  /** The file may still have calls that other tenants already have: a repeated batch is counted once. */
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
