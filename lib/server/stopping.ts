import { flushLog, log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";

declare global {
  var gatehouseStopping: boolean | undefined;
}

/** From the signal to the end of the process, whatever the store or the clients do. */
export const stopMs = 25_000;

/** True from the first signal on: readiness says so, that no balancer sends more. */
export const isStopping = (): boolean => globalThis.gatehouseStopping === true;

interface Ending {
  /** Ends everything in order; false when something had to be left undone. */
  stop(drainMs: number): Promise<boolean>;
  /** Called when `stop` has not come back in time: what must not be left behind, without waiting for anybody. */
  abandon(): void;
}

/** How this process ends: once, and in bounded time. */
export function ending({ stop, abandon }: Ending) {
  const end = async (code: number, drainMs: number): Promise<void> => {
    globalThis.gatehouseStopping = true;
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
    // Who asks twice does not want to wait.
    if (isStopping()) process.exit(1);
    log().info({ signal }, "stopping");
    void end(0, signal === "SIGTERM" ? setting("DRAIN_MS") : 0);
  };
  const endOnSignals = () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => onSignal(signal));
  };
  return { end, endOnSignals };
}
