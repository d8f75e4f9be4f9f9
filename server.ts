import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { languages, mailLanguages } from "@/components/texts/languages";
import { flushNetworks } from "@/lib/access/known-networks";
import { flushUses } from "@/lib/access/last-used";
import { projectRoot } from "@/lib/database/data-dir";
import { abandonStore, closeStore } from "@/lib/database/open";
import { patiently } from "@/lib/database/patience";
import { startCheckingAlerts } from "@/lib/features/alerts/check";
import { alertMailWriter } from "@/lib/features/alerts/mail";
import { startSigningHeads } from "@/lib/features/audit/sign-heads";
import { flushFailedShoppers } from "@/lib/features/customers/activity";
import { startImporting } from "@/lib/features/customers/imports/engine";
import { streamDestinations } from "@/lib/features/destinations/audit-streams/deliver";
import { webhookDestinations } from "@/lib/features/destinations/webhooks/deliver";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import { startMailing } from "@/lib/features/mail/worker";
import { addDemoTraffic, findDemoStory } from "@/lib/features/metrics/demo";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { noticeMailWriter } from "@/lib/features/notices/mail";
import { isPublicForm, submitPublicForm } from "@/lib/features/portal/public-forms";
import { postedFormHeader } from "@/lib/features/portal/values";
import { startPublishing } from "@/lib/features/previews/releases/worker";
import { flushRequests, startLoggingRequests } from "@/lib/features/request-log/note";
import { flushFailedLogins } from "@/lib/features/sessions/failed-logins";
import { userMailWriters } from "@/lib/features/users/email-confirmation";
import { keepConsoleClean, log } from "@/lib/protocol/log";
import { say } from "@/lib/protocol/log-destination";
import { workerNumber } from "@/lib/protocol/processes";
import { checkSettings, setting } from "@/lib/protocol/settings";
import { withCompressedScripts } from "@/lib/server/compressed-scripts";
import { endsProcess, explainFailure } from "@/lib/server/failures";
import { withForms } from "@/lib/server/forms";
import { measure } from "@/lib/server/health/measures";
import { startTracing, stopTracing } from "@/lib/server/health/otlp";
import { introduce, prepareStore } from "@/lib/server/introduce";
import { inLanguages } from "@/lib/server/languages";
import type { Pages } from "@/lib/server/pages";
import { builtRoutes } from "@/lib/server/routes";
import { type RunningServer, startServer } from "@/lib/server/serve";
import { createStop, isStopping, runStep, type StopStep, stopMs } from "@/lib/server/stopping";
import { skipMapsOfPackages } from "@/lib/server/tuning/source-maps";
import { keepTickShape } from "@/lib/server/tuning/tick-shape";
import { createSupervisor } from "@/lib/server/tuning/workers/supervise";
import { joinSupervisor } from "@/lib/server/tuning/workers/worker";
import { startCleaning } from "@/lib/setup/cleaning";
import { addDemoAlerts } from "@/lib/setup/demo/alerts";
import { addDemoRequests, startDemoTraffic } from "@/lib/setup/demo/traffic";

/** Extra accept sockets: a turn of the event loop accepts one connection more than these. Fewer where several processes share the port. */
const listenerCopies = workerNumber === undefined ? 31 : 7;

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

/** Loads Next once. The API responds before Next has loaded; pages wait for it. */
function nextApp(): ReturnType<typeof loadNext> {
  next ??= loadNext();
  return next;
}

const nextPages: Pages = {
  request: async (req, res) => (await nextApp()).handle(req, res),
  ...(isDev ? { upgrade: (req, socket, head) => upgrades.emit("upgrade", req, socket, head) } : {}),
};

const publicForms = { header: postedFormHeader, isForm: isPublicForm, submit: submitPublicForm };
let server: RunningServer | undefined;
let stopCleaning: (() => void) | undefined;
let stopSigning: (() => Promise<void>) | undefined;
let stopDelivering: (() => Promise<void>) | undefined;
let stopDemo: (() => Promise<void>) | undefined;
let stopCheckingAlerts: (() => Promise<void>) | undefined;
let stopImporting: (() => Promise<void>) | undefined;
let stopPublishing: (() => Promise<void>) | undefined;
let stopMailing: (() => Promise<void>) | undefined;

/** What the next process does where this one has no time for it. */
const deferrable = (failure: string, work: StopStep["work"]): StopStep => ({
  failure,
  maxMs: 5000,
  work,
  isDeferrable: true,
});

const flushFailed = () => Promise.all([flushFailedLogins(), flushFailedShoppers()]);

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
      deferrable("releases that are due are published by the next process", () =>
        stopPublishing?.(),
      ),
      deferrable("imports of customers are continued by the next process", () => stopImporting?.()),
      deferrable("mails on their way are sent again by the next process", () => stopMailing?.()),
      deferrable("alerts are checked by the next process", () => stopCheckingAlerts?.()),
      deferrable("calls of the demo are added by the next process", () => stopDemo?.()),
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
      { failure: "rejected requests were not written", maxMs: 5 * second, work: flushRequests },
      { failure: "failed sign-ins were not written", maxMs: 5 * second, work: flushFailed },
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

/** The demo's calls, some of their requests and its alert rules; from then on the calls that come every minute. */
async function addDemo(): Promise<void> {
  const isNew = await patiently(addDemoTraffic, { isEndless: true });
  if (isNew)
    for (const add of [addDemoRequests, addDemoAlerts]) await patiently(add, { isEndless: true });
  const story = await patiently(findDemoStory, { isEndless: true });
  if (story && setting("DEMO") !== "off" && !isStopping()) stopDemo = startDemoTraffic();
}

/** The background work of every process; the store decides which one does it when. */
function startBackgroundWork(): void {
  stopCleaning = startCleaning();
  stopSigning = startSigningHeads();
  stopDelivering = startDelivering([webhookDestinations, streamDestinations]);
  stopImporting = startImporting();
  stopPublishing = startPublishing();
  const writers = { ...userMailWriters, notice: noticeMailWriter, alert: alertMailWriter };
  stopMailing = startMailing(writers, undefined, { languages: mailLanguages });
  stopCheckingAlerts = startCheckingAlerts();
}

/** Answers requests: as the only process, or as one of several processes that a supervisor has started. */
async function serve(): Promise<void> {
  const supervised = workerNumber === undefined ? undefined : joinSupervisor(end);
  if (!supervised) endOnSignals();
  const [port, host, trusted] = [setting("PORT"), setting("HOST"), setting("TRUSTED_PROXIES")];
  // In development Next answers every route, so that an edit is seen at once.
  const [routes] = await Promise.all([isDev ? undefined : builtRoutes(), prepareStore()]);
  startRecording();
  startLoggingRequests();
  startTracing();
  const shownPages = withCompressedScripts(inLanguages(nextPages, languages));
  const pages = withForms(shownPages, publicForms, routes);
  const given = { ...(routes ? { routes } : {}), socket: await supervised?.socket };
  const limits = { shutdownMs: stopMs - 5000 };
  server = await startServer({ port, host, pages, trusted, listenerCopies, limits, ...given });
  process.env.PORT = String(new URL(server.url).port || 80);
  log().info({ url: server.url }, "listening");
  // Not before the port is ours: a start that fails there would lose the one-time password.
  if (supervised) supervised.ready(server);
  else await introduce(server.url);
  startBackgroundWork();
  if (workerNumber === undefined || workerNumber === 1)
    addDemo().catch((error: unknown) =>
      log().warn({ err: error }, "the demo has no traffic to look at"),
    );
  await measure();
  if (isStopping()) return;
  await nextApp();
  log().info("pages are ready");
}

function giveUp(error: unknown): void {
  // What fails while the process ends must not end it again.
  if (isStopping()) return;
  const reason = explainFailure(error);
  log().fatal({ err: error, reason }, "gave up");
  say(reason, process.stderr);
  void end(1, 0);
}

const isSupervising = () => workerNumber === undefined && !isDev && setting("WORKERS") > 1;

async function start(): Promise<void> {
  // Figures: docs/architecture/tuning.md. An engine that does not know the flag goes on without it.
  setFlagsFromString("--heap-growing-percent=60");
  checkSettings();
  if (!isSupervising()) return serve();
  endOnSignals();
  const onFailedStart = () =>
    giveUp(new Error("WORKERS: a process ended before it was ready. The log says why."));
  return supervisor.start(fileURLToPath(import.meta.url), onFailedStart);
}

const supervisor = createSupervisor();
const { end, endOnSignals } = createStop({
  stop: async (drainMs) => (isSupervising() ? supervisor.stop(drainMs) : stop(drainMs)),
  // A worker leaves the embedded store to its supervisor.
  abandon: workerNumber === undefined ? abandonStore : () => undefined,
});
keepTickShape();
process.setSourceMapsEnabled(true);
skipMapsOfPackages();
keepConsoleClean();
process.on("uncaughtException", (error, origin) => {
  if (endsProcess(error, origin)) giveUp(error);
});
start().catch(giveUp);
