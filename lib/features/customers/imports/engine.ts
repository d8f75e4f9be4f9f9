import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { globalStatements } from "@/lib/database/global";
import { readAllTenants } from "@/lib/database/tenant-scans";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { runImport } from "./apply";
import { claimImport, deleteReceiving } from "./rows";

/** An import that has not ended. */
interface OpenImport {
  tenantId: string;
  importId: string;
  state: string;
  leaseHolder: string | null;
  leaseBeat: number;
}

/** The open imports of all tenants. */
const openImports = (): Promise<readonly OpenImport[]> =>
  readAllTenants<OpenImport>("open-imports", globalStatements.openImports, []);

const wakes = perProcess("import-wakes", () => new Set<() => void>());

/** Calls `wake` when an import is created in this process; the returned function unsubscribes. */
function onWake(wake: () => void): () => void {
  wakes().add(wake);
  return () => {
    wakes().delete(wake);
  };
}

/** Makes this process look for imports at once. */
export function wakeImports(): void {
  for (const wake of wakes()) wake();
}

/*
 * Finds imports that have not ended. One process at a time works on an import: the row has its id, and each batch raises the counter next
 * to it. Another process takes the import over once id and counter have not changed for `silentMs`. Clocks of two machines are never
 * compared.
 */

const monotonicNow = () => performance.now();

/** How long the counter of an import or upload may stay unchanged before another process takes over. */
export const silentMs = { running: 15_000, receiving: 120_000 };
const lookMs = 5000;
const maxWorkers = 2;

interface Seen {
  beat: number;
  holder: string | null;
  since: number;
}

interface Engine {
  holder: string;
  working: Map<string, Promise<void>>;
  /** The lease of each import held by others, and when it was first seen. */
  seen: Map<string, Seen>;
  stopping: AbortSignal;
}

const keyOf = ({ tenantId, importId }: OpenImport) => `${tenantId}/${importId}`;

/** For how long the counter has not changed. */
function silenceOf({ seen }: Engine, one: OpenImport): number {
  const known = seen.get(keyOf(one));
  if (known?.beat === one.leaseBeat && known.holder === one.leaseHolder)
    return monotonicNow() - known.since;
  const { leaseBeat: beat, leaseHolder: holder } = one;
  seen.set(keyOf(one), { beat, holder, since: monotonicNow() });
  return 0;
}

function start(engine: Engine, one: OpenImport): void {
  const { tenantId, importId } = one;
  const key = keyOf(one);
  const work = runImport(
    { tenantId, importId, holder: engine.holder },
    () => engine.stopping.aborted,
  )
    // Keeps the lease: this process claims it again, or another one after the timeout.
    .catch((error: unknown) =>
      log().warn({ err: error, tenantId, importId }, "an import was interrupted"),
    )
    .finally(() => engine.working.delete(key));
  engine.working.set(key, work);
}

async function lookAt(engine: Engine, one: OpenImport): Promise<void> {
  const key = { tenantId: one.tenantId, importId: one.importId };
  const silence = silenceOf(engine, one);
  if (one.state === "receiving") {
    if (silence >= silentMs.receiving) await deleteReceiving(key, one.leaseBeat);
    return;
  }
  if (engine.working.has(keyOf(one)) || engine.working.size >= maxWorkers) return;
  const isFree = one.leaseHolder === null || one.leaseHolder === engine.holder;
  if (!isFree && silence < silentMs.running) return;
  if (await claimImport(key, one.leaseBeat, engine.holder)) start(engine, one);
}

async function takeTurn(engine: Engine): Promise<void> {
  const open = await openImports();
  const keys = new Set(open.map(keyOf));
  for (const key of engine.seen.keys()) if (!keys.has(key)) engine.seen.delete(key);
  for (const one of open) if (!engine.stopping.aborted) await lookAt(engine, one);
}

/** Starts importing customers. The returned function stops that and waits for running batches. */
export function startImporting(): () => Promise<void> {
  const stop = new AbortController();
  let awake = new AbortController();
  const stopListening = onWake(() => awake.abort());
  const engine: Engine = {
    holder: randomBytes(12).toString("hex"),
    working: new Map(),
    seen: new Map(),
    stopping: stop.signal,
  };
  const repeat = async () => {
    while (!stop.signal.aborted) {
      awake = new AbortController();
      const { signal } = awake;
      await takeTurn(engine).catch((error: unknown) =>
        log().warn({ err: error }, "imports of customers could not be looked for"),
      );
      const either = AbortSignal.any([signal, stop.signal]);
      await wait(lookMs, undefined, { ref: false, signal: either }).catch(() => undefined);
    }
  };
  const running = repeat();
  return async () => {
    stop.abort();
    stopListening();
    await running;
    await Promise.all(engine.working.values());
  };
}
