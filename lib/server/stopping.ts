import { log } from "@/lib/protocol/log";

declare global {
  var gatehouseStopping: boolean | undefined;
}

/** True from the first signal on: readiness says so, that no balancer sends more. */
export const isStopping = (): boolean => globalThis.gatehouseStopping === true;

/** Runs `stop` once on SIGTERM or SIGINT and exits 0, or 1 when it fails; a second signal does not wait. */
export function stopOnSignals(stop: () => Promise<void>): void {
  const onSignal = async (signal: string) => {
    if (isStopping()) process.exit(1);
    globalThis.gatehouseStopping = true;
    log().info({ signal }, "stopping");
    try {
      await stop();
      log().info("stopped");
      process.exit(0);
    } catch (error) {
      log().error({ err: error }, "the stop failed");
      process.exit(1);
    }
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void onSignal(signal));
}
