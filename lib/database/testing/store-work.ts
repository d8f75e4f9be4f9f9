import { EventEmitter, once } from "node:events";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { read, readAccess, transaction } from "@/lib/database/open";
import { failureOf } from "./failing";

/** A read, on the connections for reads. */
export const ask = (): Promise<unknown> => read("one", "select 1 as one", []);
/** A read, on the connection for credentials. */
export const askAccess = (): Promise<unknown> => readAccess("one", "select 1 as one", []);

/** A gate that others wait for until it is opened. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const events = new EventEmitter();
  const opened = once(events, "open").then(() => undefined);
  return { opened, open: () => void events.emit("open") };
}

/** As many simultaneous transactions as the pool has connections. */
export async function everyPlace(): Promise<number> {
  let open = 0;
  const all = gate();
  await Promise.all(
    Array.from({ length: 10 }, () =>
      transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        open += 1;
        if (open === 10) all.open();
        await all.opened;
      }),
    ),
  );
  return open;
}

/** Repeats each of the works in parallel until `isOver`, and returns the failures. */
export async function load(
  works: (() => Promise<unknown>)[],
  isOver: () => boolean,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const loop = async (work: () => Promise<unknown>) => {
    while (!isOver()) await work().catch((error: unknown) => failures.push(error));
  };
  await Promise.all(works.map(loop));
  return failures;
}

/** Resolves once this work succeeds. */
export const works = (work: () => Promise<unknown>) =>
  expect.poll(() => failureOf(work()), { timeout: 100_000, interval: 20 }).toBeUndefined();

/** The work ten times at once: on every connection that writes. */
export const tenTimes = (work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 10 }, work));
