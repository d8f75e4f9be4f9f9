import { type ChildProcess, fork } from "node:child_process";
import { log } from "@/lib/protocol/log";
import { workerArgument } from "@/lib/protocol/processes";
import { connectionsToShed, type WorkerLoad } from "./balance";
import { sendTo, type ToSupervisor } from "./messages";
import type { SharedListener } from "./shared-listener";

/** A worker that does not respond in this time is omitted: a scrape does not wait longer for a paused one. */
const answerMs = 1000;

type Question = Extract<ToSupervisor, { kind: "measure-all" }>;

interface Collection {
  texts: string[];
  missing: Set<ChildProcess>;
  finish(): void;
}

/** Collects the measurements of all workers, for the one that was scraped. */
function createCollector(workers: ReadonlySet<ChildProcess>) {
  const collections = new Map<number, Collection>();
  let last = 0;

  function collect(asker: ChildProcess, question: number): void {
    last += 1;
    const id = last;
    const finish = () => {
      clearTimeout(timer);
      if (!collections.delete(id)) return;
      sendTo(asker, { kind: "measured", question, texts: collection.texts });
    };
    const timer = setTimeout(finish, answerMs);
    const collection: Collection = { texts: [], missing: new Set(workers), finish };
    collections.set(id, collection);
    for (const worker of workers) sendTo(worker, { kind: "measure", question: id });
  }

  function note(worker: ChildProcess, id: number, text: string): void {
    const collection = collections.get(id);
    if (!collection?.missing.delete(worker)) return;
    collection.texts.push(text);
    if (collection.missing.size === 0) collection.finish();
  }

  return {
    receive(
      worker: ChildProcess,
      message: Question | Extract<ToSupervisor, { kind: "measured" }>,
    ): void {
      if (message.kind === "measure-all") collect(worker, message.question);
      else note(worker, message.question, message.text);
    },
  };
}

/** An exited worker is replaced after this time; the delay doubles for each further one that exits early. */
const leastDelayMs = 100;
const maxDelayMs = 10_000;
/** A process that ran this long was healthy. */
const lastedMs = 60_000;

interface Options {
  program: string;
  count: number;
  listener: SharedListener;
  /** A worker ended before any was ready: the next one would, too. */
  onFailedStart(): void;
}

export interface WorkerProcesses {
  /** Stops all of them, and kills the remaining ones after this time. False if one did not finish cleanly. */
  stop(drainMs: number, killAfterMs: number): Promise<boolean>;
  /** Kills the remaining ones at once. */
  kill(): void;
}

interface Place {
  number: number;
  /** The delay of the replacement if this one exits early. */
  delayMs: number;
  startedAt: number;
}

const startWorker = ({ program, listener }: Options, { number }: Place): ChildProcess =>
  fork(program, [workerArgument(number)], {
    env: { ...process.env, PORT: String(listener.port) },
  });

/** Runs this many processes of the program on one socket, and replaces each that ends. */
export function startWorkers(options: Options): WorkerProcesses {
  const running = new Set<ChildProcess>();
  const collector = createCollector(running);
  const balance = createBalance();
  let [isStopping, isAnyReady] = [false, false];

  const begin = (number: number, delayMs: number) => {
    if (isStopping) return;
    const place = { number, delayMs, startedAt: performance.now() };
    const worker = startWorker(options, place);
    running.add(worker);
    worker.on("message", (message: ToSupervisor) => {
      if (message.kind === "ready") isAnyReady = true;
      else if (message.kind === "load") balance.note(worker, message);
      else collector.receive(worker, message);
    });
    worker.on("exit", (code, signal) => {
      log().error({ number, pid: worker.pid, code, signal }, "a worker ended");
      replace(worker, place);
    });
    worker.on("error", (error) => {
      log().error({ number, err: error }, "a worker could not be started or reached");
      if (worker.pid === undefined) replace(worker, place);
    });
    sendTo(worker, { kind: "listen" }, options.listener.handle);
  };

  const replace = (worker: ChildProcess, { number, delayMs, startedAt }: Place) => {
    running.delete(worker);
    balance.forget(worker);
    if (isStopping) return;
    if (!isAnyReady) return options.onFailedStart();
    const waitMs = performance.now() - startedAt > lastedMs ? leastDelayMs : delayMs;
    setTimeout(begin, waitMs, number, Math.min(waitMs * 2, maxDelayMs));
  };

  const kill = () => {
    for (const worker of running) worker.kill("SIGKILL");
  };
  for (let number = 1; number <= options.count; number += 1) begin(number, leastDelayMs);
  return {
    kill,
    async stop(drainMs, killAfterMs) {
      isStopping = true;
      const ends = [...running].map(endOf);
      for (const worker of running) sendTo(worker, { kind: "stop", drainMs });
      const killing = setTimeout(kill, killAfterMs);
      const codes = await Promise.all(ends);
      clearTimeout(killing);
      return codes.every((code) => code === 0);
    },
  };
}

/** Makes a worker that is busier than the others close some of its connections. */
function createBalance() {
  const loads = new Map<ChildProcess, WorkerLoad>();
  return {
    note(worker: ChildProcess, load: WorkerLoad): void {
      loads.set(worker, load);
      const count = connectionsToShed(load, [...loads.values()]);
      if (count > 0) sendTo(worker, { kind: "shed", count });
    },
    forget: (worker: ChildProcess) => loads.delete(worker),
  };
}

const endOf = (worker: ChildProcess) =>
  new Promise<number | null>((resolve) => worker.once("exit", resolve));
