import { Server as HttpServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { Server, Socket } from "node:net";
import perfHooks, { type IntervalHistogram } from "node:perf_hooks";
import timersPromises from "node:timers/promises";
import type { Worker } from "node:worker_threads";

/** Work that was started in this process, and runs until it is stopped. */
interface StartedWork {
  timers: WeakRef<NodeJS.Timeout | NodeJS.Immediate>[];
  threads: Set<Worker>;
  histograms: IntervalHistogram[];
  /** Work of the test runner. */
  handles: ReadonlySet<object>;
}

const place = Symbol.for("gatehouse.started-work");
const dispatcher = Symbol.for("undici.globalDispatcher.1");
const holder = globalThis as {
  [place]?: StartedWork;
  [dispatcher]?: { destroy(): Promise<void>; constructor: new () => never };
};

/** Undocumented, but in every Node version so far: the handles that prevent a process from exiting. */
const activeHandles = (): object[] =>
  (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();

/** Records everything that is started from now on. */
export function observeWork(): void {
  if (holder[place]) return;
  const work: StartedWork = {
    timers: [],
    threads: new Set(),
    histograms: [],
    handles: new Set(activeHandles()),
  };
  holder[place] = work;
  const noteTimer = (timer: NodeJS.Timeout | NodeJS.Immediate) => {
    work.timers.push(new WeakRef(timer));
  };
  globalThis.setTimeout = observed(globalThis.setTimeout, noteTimer);
  globalThis.setInterval = observed(globalThis.setInterval, noteTimer);
  globalThis.setImmediate = observed(globalThis.setImmediate, noteTimer);
  timersPromises.setTimeout = observedPause;
  perfHooks.monitorEventLoopDelay = observed(perfHooks.monitorEventLoopDelay, (histogram) => {
    work.histograms.push(histogram);
  });
  syncBuiltinESMExports();
  process.on("worker", (thread) => {
    work.threads.add(thread);
    thread.once("exit", () => work.threads.delete(thread));
  });
}

function observed<Start extends (...args: never[]) => unknown>(
  start: Start,
  note: (started: ReturnType<Start>) => void,
): Start {
  return new Proxy(start, {
    apply(target, self, args) {
      const started = Reflect.apply(target, self, args);
      note(started);
      return started;
    },
  });
}

const pause = timersPromises.setTimeout;

/** A pause of a finished file never resolves, so that its waiting code does not continue during the next file. */
function observedPause<Value>(
  milliseconds?: number,
  value?: Value,
  options: Parameters<typeof pause>[2] = {},
): Promise<Value> {
  if (options.signal) return pause(milliseconds, value, options);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(value as Value), milliseconds);
    if (options.ref === false) timer.unref();
  });
}

/** Ends all recorded work, without notifying its listeners: in an exited process they would not be called either. */
export async function endWork(): Promise<void> {
  const work = holder[place];
  if (work === undefined) throw new Error("Nobody observes what is started.");
  for (const one of work.timers.splice(0)) endTimer(one.deref());
  for (const histogram of work.histograms.splice(0)) histogram.disable();
  for (const handle of activeHandles()) if (!work.handles.has(handle)) endHandle(handle);
  await Promise.all([...work.threads].map((thread) => thread.terminate()));
  await endRequests();
}

function endTimer(timer: NodeJS.Timeout | NodeJS.Immediate | undefined): void {
  if (timer === undefined) return;
  if ("refresh" in timer) clearTimeout(timer);
  else clearImmediate(timer);
}

function endHandle(handle: object): void {
  if (handle instanceof HttpServer) handle.closeAllConnections();
  if (handle instanceof Server) handle.close();
  if (!(handle instanceof Socket)) return;
  handle.removeAllListeners();
  handle.on("error", () => undefined);
  handle.destroy();
}

/** Connections that `fetch` keeps open for the next request to a closed server. */
async function endRequests(): Promise<void> {
  const former = holder[dispatcher];
  if (former === undefined) return;
  holder[dispatcher] = new former.constructor();
  await former.destroy();
}
