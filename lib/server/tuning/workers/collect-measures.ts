import type { ChildProcess } from "node:child_process";
import { sendTo, type ToSupervisor } from "@/lib/server/tuning/workers/messages";

/** A worker that does not answer in this time is left out: a scrape does not wait longer for a paused one. */
const answerMs = 1000;

type Question = Extract<ToSupervisor, { kind: "measure-all" }>;

interface Collection {
  texts: string[];
  missing: Set<ChildProcess>;
  finish(): void;
}

/** Asks all workers what they have measured, for the one that was scraped. */
export function createCollector(workers: ReadonlySet<ChildProcess>) {
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
