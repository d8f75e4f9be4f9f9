import { createServer } from "node:http";
import { flushNetworks } from "@/lib/access/known-networks";
import { flushUses } from "@/lib/access/last-used";
import { adoptSecretKey } from "@/lib/access/sealed-keys";
import { currentSigningKey } from "@/lib/access/signing-keys";
import { projectRoot } from "@/lib/database/data-dir";
import { abandonStore, closeStore, openStore } from "@/lib/database/open";
import { startSigningHeads } from "@/lib/features/audit/sign-heads";
import { streamFamily } from "@/lib/features/audit-streams/family";
import { startImporting } from "@/lib/features/customer-imports/engine";
import { startDelivering } from "@/lib/features/delivery/engine";
import { addDemoTraffic } from "@/lib/features/metrics/demo";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { flushRequests, startLoggingRequests } from "@/lib/features/request-log/note";
import { webhookFamily } from "@/lib/features/webhooks/family";
import { errorLine } from "@/lib/protocol/error-summary";
import { keepConsoleClean, log } from "@/lib/protocol/log";
import { say } from "@/lib/protocol/log-destination";
import { publicUrl } from "@/lib/protocol/public-url";
import { checkSettings, setting } from "@/lib/protocol/settings";
import { measure } from "@/lib/server/health/measures";
import { startTracing, stopTracing } from "@/lib/server/health/otlp";
import type { Pages } from "@/lib/server/pages";
import { builtRoutes } from "@/lib/server/routes";
import { type RunningServer, startServer } from "@/lib/server/serve";
import { createStop, isStopping, runStep, type StopStep, stopMs } from "@/lib/server/stopping";
import { startCleaning } from "@/lib/setup/cleaning";

const isDev = process.argv.includes("--dev");

// Next listens for upgrades on the server it is given; on the real one that would swallow requests that merely offer h2c.
const upgrades = createServer();

async function loadNext() {
  const { default: next } = await import("next");
  const port = setting("PORT");
  const app = next({
    dev: isDev,
    dir: projectRoot(),
    port,
    hostname: "localhost",
    httpServer: upgrades,
  });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}

let next: ReturnType<typeof loadNext> | undefined;

/** Next, loaded once: the interface answers before, pages wait for it. */
function nextApp(): ReturnType<typeof loadNext> {
  next ??= loadNext();
  return next;
}

const pages: Pages = {
  request: async (req, res) => (await nextApp()).handle(req, res),
  ...(isDev ? { upgrade: (req, socket, head) => upgrades.emit("upgrade", req, socket, head) } : {}),
};

let server: RunningServer | undefined;
let stopCleaning: (() => void) | undefined;
let stopSigning: (() => Promise<void>) | undefined;
let stopDelivering: (() => Promise<void>) | undefined;
let stopImporting: (() => Promise<void>) | undefined;

/** What the next process does where this one has no time for it. */
const deferrable = (failure: string, work: StopStep["work"]): StopStep => ({
  failure,
  maxMs: 5000,
  work,
  isDeferrable: true,
});

/** Heads that are not signed, and counts that stay in the spool, are taken care of by the next process. */
function stopSteps(drainMs: number): StopStep[][] {
  const closeNext = async () => (await next?.catch(() => undefined))?.close();
  const second = 1000;
  return [
    [
      {
        failure: "requests were cut off",
        maxMs: stopMs - 4 * second,
        work: () => server?.close(drainMs),
      },
      deferrable("heads of the trail are unsigned", () => stopSigning?.()),
      deferrable("events and audit entries on their way are sent again by the next process", () =>
        stopDelivering?.(),
      ),
      deferrable("imports of customers are continued by the next process", () => stopImporting?.()),
    ],
    [
      { failure: "the pages were not closed", maxMs: second, work: closeNext, isDeferrable: true },
      { failure: "traces were not sent", maxMs: second, work: stopTracing, isDeferrable: true },
      {
        failure: "counts of calls stay in the spool",
        maxMs: 5 * second,
        work: stopRecording,
        isDeferrable: true,
      },
      {
        failure: "last uses of credentials were not written",
        maxMs: 5 * second,
        work: () => flushUses(true),
      },
      { failure: "networks of sign-ins were not written", maxMs: 5 * second, work: flushNetworks },
      {
        failure: "rejected requests were not written",
        maxMs: 5 * second,
        work: flushRequests,
      },
    ],
    [{ failure: "the store was not closed", maxMs: 10 * second, work: closeStore }],
  ];
}

/** Runs the groups of steps in turn, the steps of each at once. False when something is left undone for good. */
async function stop(drainMs: number): Promise<boolean> {
  stopCleaning?.();
  let isComplete = true;
  for (const steps of stopSteps(drainMs)) {
    const results = await Promise.all(steps.map(runStep));
    isComplete = isComplete && results.every(Boolean);
  }
  return isComplete;
}

async function start(): Promise<void> {
  checkSettings();
  const [port, host, trusted] = [setting("PORT"), setting("HOST"), setting("TRUSTED_PROXIES")];
  endOnSignals();
  // In development Next answers every route, so that an edit is seen at once.
  const [routes] = await Promise.all([isDev ? undefined : builtRoutes(), openStore()]);
  await adoptSecretKey();
  // Where there is none yet: what is sealed under the secret tells a changed one at the next start.
  await currentSigningKey("consumer");
  startRecording();
  startLoggingRequests();
  startTracing();
  server = await startServer({ port, host, pages, trusted, ...(routes ? { routes } : {}) });
  process.env.PORT = String(new URL(server.url).port || 80);
  log().info({ url: server.url }, "listening");
  // Not before the port is ours: a start that fails there would lose the one-time password.
  const { firstRun } = await import("@/lib/setup/seed");
  const firstLines = await firstRun({ url: publicUrl() });
  say(`Gatehouse listens on ${server.url} and is reached at ${publicUrl()}`);
  for (const line of firstLines) say(line);
  stopCleaning = startCleaning();
  stopSigning = startSigningHeads();
  stopDelivering = startDelivering([webhookFamily, streamFamily]);
  stopImporting = startImporting();
  addDemoTraffic().catch((error: unknown) =>
    log().warn({ err: error }, "the demo has no traffic to look at"),
  );
  await measure();
  if (isStopping()) return;
  await nextApp();
  log().info("pages are ready");
}

function explain(error: unknown): string {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop what listens there, or start with another one: PORT=3001 npm start`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST: this machine has no address ${address ?? setting("HOST")}.`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user.`;
  return errorLine(error);
}

function giveUp(error: unknown): void {
  // What fails while the process ends must not end it again.
  if (isStopping()) return;
  log().fatal({ err: error }, "gave up");
  say(explain(error), process.stderr);
  void end(1, 0);
}

const { end, endOnSignals } = createStop({ stop, abandon: abandonStore });
process.setSourceMapsEnabled(true);
keepConsoleClean();
process.on("uncaughtException", giveUp);
start().catch(giveUp);
