import { createServer } from "node:http";
import { flushUses } from "@/lib/access/last-used";
import { projectRoot } from "@/lib/database/data-dir";
import { closeStore, openStore } from "@/lib/database/open";
import { startSigningHeads } from "@/lib/features/audit/sign-heads";
import { addDemoTraffic } from "@/lib/features/metrics/demo";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { flushRefusals, startNotingRefusals } from "@/lib/features/request-log/note";
import { log } from "@/lib/protocol/log";
import { publicUrl } from "@/lib/protocol/public-url";
import { measure } from "@/lib/server/health/measures";
import type { Pages } from "@/lib/server/pages";
import { trustedProxies } from "@/lib/server/peer";
import { builtRoutes } from "@/lib/server/routes";
import { type Door, startDoor } from "@/lib/server/serve";
import { stopOnSignals } from "@/lib/server/stopping";
import { startCleaning } from "@/lib/setup/cleaning";

const isDev = process.argv.includes("--dev");

// Next listens for upgrades on the server it is given; on the real one that would swallow requests that merely offer h2c.
const upgrades = createServer();

async function loadNext() {
  const { default: next } = await import("next");
  const port = Number(process.env.PORT);
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function portFrom(text: string | undefined): number {
  const port = Number(text || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT: "${text}" is no port number.`);
  return port;
}

let door: Door | undefined;
let stopCleaning: (() => void) | undefined;
let stopSigning: (() => Promise<void>) | undefined;

async function stop(): Promise<void> {
  stopCleaning?.();
  await stopSigning?.();
  await door?.close();
  const app = await next?.catch(() => undefined);
  await app?.close();
  await stopRecording().catch((error: unknown) =>
    log().warn({ err: error }, "the last counts of calls stay in the spool"),
  );
  await flushUses(true).catch((error: unknown) =>
    log().warn({ err: error }, "the last uses of credentials were not written"),
  );
  await flushRefusals();
  await closeStore();
}

async function start(): Promise<void> {
  const port = portFrom(process.env.PORT);
  const host = process.env.HOST || "127.0.0.1";
  const trusted = trustedProxies(process.env.TRUSTED_PROXIES);
  stopOnSignals(stop);
  // In development Next answers every route, so that an edit is seen at once.
  const [routes] = await Promise.all([isDev ? undefined : builtRoutes(), openStore()]);
  startRecording();
  startNotingRefusals();
  door = await startDoor({ port, host, pages, trusted, ...(routes ? { routes } : {}) });
  process.env.PORT = String(new URL(door.url).port || 80);
  log().info({ url: door.url }, "listening");
  // Not before the port is ours: a start that fails there would lose the one-time password.
  const { firstRun } = await import("@/lib/setup/seed");
  for (const line of await firstRun({ url: publicUrl() })) say(line);
  say(`Gatehouse listens on ${door.url} and is reached at ${publicUrl()}`);
  stopCleaning = startCleaning();
  stopSigning = startSigningHeads();
  addDemoTraffic().catch((error: unknown) =>
    log().warn({ err: error }, "the demo has no traffic to look at"),
  );
  await measure();
  await nextApp();
  log().info("pages are ready");
}

function explain(error: unknown): string {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop what listens there, or start with another one: PORT=3001 npm start`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST: this machine has no address ${address ?? process.env.HOST}.`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user.`;
  return error instanceof Error ? error.message : String(error);
}

async function giveUp(error: unknown): Promise<never> {
  log().fatal({ err: error }, "gave up");
  console.error(explain(error));
  await stop().catch(() => undefined);
  process.exit(1);
}

process.setSourceMapsEnabled(true);
process.on("uncaughtException", (error) => void giveUp(error));
start().catch(giveUp);
