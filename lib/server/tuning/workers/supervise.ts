import { closeStore } from "@/lib/database/open";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { introduce, prepareStore } from "@/lib/server/introduce";
import { runStep, stopMs } from "@/lib/server/stopping";
import { startWorkers, type WorkerProcesses } from "./processes";
import { openSharedListener, type SharedListener } from "./shared-listener";

/** The time of a stop that remains for the embedded store after the workers. */
const storeMs = 2500;

/** The process that owns the port and the embedded store for the workers, and serves no requests itself. */
export interface Supervisor {
  start(program: string, onFailedStart: () => void): Promise<void>;
  stop(drainMs: number): Promise<boolean>;
}

export function createSupervisor(): Supervisor {
  let listener: SharedListener | undefined;
  let workers: WorkerProcesses | undefined;
  return {
    async start(program, onFailedStart) {
      const [port, host, count] = [setting("PORT"), setting("HOST"), setting("WORKERS")];
      await prepareStore();
      listener = await openSharedListener(port, host);
      process.env.PORT = String(listener.port);
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}`;
      await introduce(url);
      workers = startWorkers({ program, count, listener, onFailedStart });
      // Whatever ends this process also ends the workers, which would no longer be replaced.
      process.once("exit", workers.kill);
      log().info({ url, workers: count }, "supervising");
    },
    async stop(drainMs) {
      listener?.close();
      const killAfterMs = stopMs - storeMs;
      const steps = [
        {
          failure: "a worker left something undone",
          maxMs: stopMs,
          work: () => workers?.stop(drainMs, killAfterMs),
        },
        { failure: "the store was not closed", maxMs: storeMs, work: closeStore },
      ];
      let isComplete = true;
      for (const step of steps) isComplete = (await runStep(step)) && isComplete;
      return isComplete;
    },
  };
}
