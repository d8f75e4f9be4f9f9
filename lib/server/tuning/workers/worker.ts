import { performance } from "node:perf_hooks";
import { perProcess } from "@/lib/protocol/per-process";
import { exposition, measureWith } from "@/lib/server/health/measures";
import type { RunningServer } from "@/lib/server/serve";
import { isStopping } from "@/lib/server/stopping";
import type { ToSupervisor, ToWorker } from "./messages";

/** The connection of a worker to its supervisor. */
export interface Supervised {
  /** The socket from which all workers accept connections. */
  socket: Promise<unknown>;
  /** Reports to the supervisor that this server answers requests, and from then on how busy it is. */
  ready(server: Balanced): void;
}

type Balanced = Pick<RunningServer, "connections" | "shed">;

function send(message: ToSupervisor): void {
  // Without a supervisor this process is about to exit, and no response is needed.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

const waiting = perProcess("measure-questions", () => ({
  last: 0,
  resolvers: new Map<number, (texts: string[]) => void>(),
}));

const loadMs = 500;

/** Concurrent scrapes beyond this number get an empty response. */
const maxQuestions = 100;

function askAll(): Promise<string[]> {
  const { resolvers } = waiting();
  if (resolvers.size >= maxQuestions) return Promise.resolve([]);
  waiting().last += 1;
  const question = waiting().last;
  return new Promise((resolve) => {
    resolvers.set(question, resolve);
    send({ kind: "measure-all", question });
  });
}

interface Duties {
  stop(drainMs: number): void;
  shed(count: number): void;
}

async function answer(message: ToWorker, { stop, shed }: Duties): Promise<void> {
  if (message.kind === "stop") stop(message.drainMs);
  if (message.kind === "shed") shed(message.count);
  if (message.kind === "measure")
    send({ kind: "measured", question: message.question, text: (await exposition()).text });
  if (message.kind === "measured") {
    waiting().resolvers.get(message.question)?.(message.texts);
    waiting().resolvers.delete(message.question);
  }
}

/** Reports to the supervisor from time to time how busy this process is. */
function reportLoad(server: Balanced): void {
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    send({ kind: "load", connections: server.connections(), utilization });
  }, loadMs).unref();
}

/** Joins the supervisor that started this process, which stops on its request or when it has exited. */
export function joinSupervisor(end: (code: number, drainMs: number) => Promise<void>): Supervised {
  const stop = (drainMs: number) => {
    if (!isStopping()) void end(0, drainMs);
  };
  let served: Balanced | undefined;
  // A terminal and a service manager signal every process. Only the supervisor's request counts: a second signal would abort a stop.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);
  process.once("disconnect", () => stop(0));
  const socket = new Promise<unknown>((resolve) => {
    process.on("message", (message: ToWorker, handle) => {
      if (message.kind === "listen") resolve(handle);
      else void answer(message, { stop, shed: (count) => served?.shed(count) });
    });
  });
  measureWith(askAll);
  return {
    socket,
    ready(server) {
      served = server;
      send({ kind: "ready" });
      reportLoad(server);
    },
  };
}
