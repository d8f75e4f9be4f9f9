import { setTimeout as pause } from "node:timers/promises";
import { flushLog, log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { workerNumber } from "@/lib/protocol/processes";
import { setting } from "@/lib/protocol/settings";

const shutdown = perProcess("shutdown", () => ({ isRequested: false }));

/**
 * From the signal to the end of the process, whatever the store or the clients do. A worker has less: its supervisor ends the
 * store after it, and must end within this time as well.
 */
export const stopMs = workerNumber === undefined ? 25_000 : 22_000;

/** True from the first signal on: readiness reports it, so that balancers send no more requests. */
export const isStopping = (): boolean => shutdown().isRequested;

/** One step of a stop. */
export interface StopStep {
  /** The log message if it fails or takes too long. */
  failure: string;
  maxMs: number;
  /** False when it could not do everything. */
  work: () => Promise<unknown> | undefined;
  /** Whether unfinished work is safe, because the next start or another process does it. */
  isDeferrable?: boolean;
}

/** Runs a step, at most this long; a failure is logged. Returns false when something is left undone for good. */
export async function runStep({ failure, maxMs, work, isDeferrable }: StopStep): Promise<boolean> {
  const timeout = pause(maxMs, "timeout", { ref: false });
  const result = await Promise.race([Promise.resolve().then(work), timeout]).catch(
    (error: unknown) => ({ error }),
  );
  if (result === "timeout") log().warn({ maxMs }, `${failure}: timeout`);
  else if (typeof result === "object" && result !== null && "error" in result)
    log().warn({ err: result.error }, failure);
  else if (result === false) log().warn(failure);
  else return true;
  return isDeferrable === true;
}

/** From now on readiness sends requests elsewhere. */
export function requestShutdown(): void {
  shutdown().isRequested = true;
}

interface StopSteps {
  /** Ends everything in order; false if something could not be finished. */
  stop(drainMs: number): Promise<boolean>;
  /** Called if `stop` takes too long: ends everything that must not keep running, without waiting. */
  abandon(): void;
}

/** How this process ends: once, and in bounded time. */
export function createStop({ stop, abandon }: StopSteps) {
  const end = async (code: number, drainMs: number): Promise<void> => {
    requestShutdown();
    setTimeout(() => {
      log().error("the stop took too long and was broken off");
      abandon();
      process.exit(1);
    }, stopMs - 500);
    const isComplete = await stop(drainMs).catch((error: unknown) => {
      log().error({ err: error }, "the stop failed");
      return false;
    });
    if (isComplete) log().info("stopped");
    await flushLog();
    process.exit(isComplete ? code : 1);
  };
  const onSignal = (signal: "SIGTERM" | "SIGINT") => {
    // A second signal means not to wait.
    if (isStopping()) process.exit(1);
    log().info({ signal }, "stopping");
    void end(0, signal === "SIGTERM" ? setting("DRAIN_MS") : 0);
  };
  const endOnSignals = () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => onSignal(signal));
  };
  return { end, endOnSignals };
}
