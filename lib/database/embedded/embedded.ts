import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { type Home, prepareHome } from "./home";
import { findPostmaster, pause, spawnPostmaster, stopPostmaster } from "./postmaster";
import { joinStore, type Presence } from "./server-lease";

/** A running embedded PostgreSQL that this process uses. */
export interface Embedded {
  connection: ClientConfig & { host: string; user: string; database: string };
  /** Whether this process started it, or found it running. */
  isStartedHere: boolean;
  postmasterPid: number;
  /** Leaves it, and stops it if no other process is using it, whoever started it. */
  close(): Promise<void>;
}

interface Options {
  /** For tests: does not wait for the disk. */
  isThrowaway?: boolean;
}

type Running = Pick<Embedded, "connection" | "isStartedHere" | "postmasterPid"> & {
  presence: Presence;
};

/** How long a start may fail before it is given up: a server that was just killed is in the way for up to 2 seconds. */
const patience = 10_000;
/** How long a server that is alive may take to accept us: it may be recovering. */
const recovery = 60_000;

/** Starts the PostgreSQL of this data folder, or adopts the one that runs. Brings it back if it dies while in use. */
export async function startEmbedded(
  dataDir: string,
  { isThrowaway = false }: Options = {},
): Promise<Embedded> {
  const home = prepareHome(dataDir, isThrowaway);
  let isClosing = false;
  const onLost = () => {
    if (!isClosing) running = bringBack();
  };
  const bringBack = async (): Promise<Running> => {
    for (;;) {
      try {
        return await run(home, isThrowaway, onLost);
      } catch (error) {
        if (isClosing) throw error;
        console.error("The embedded PostgreSQL is down and cannot be started again yet:", error);
        await pause(1000);
      }
    }
  };
  let running = run(home, isThrowaway, onLost);
  const { connection, isStartedHere, postmasterPid } = await running;
  const close = async () => {
    isClosing = true;
    const last = await running.catch(() => undefined);
    await last?.presence.leave(() => stopPostmaster(home));
  };
  return { connection, isStartedHere, postmasterPid, close };
}

async function run(home: Home, isThrowaway: boolean, onLost: () => void): Promise<Running> {
  let child: ChildProcess | undefined;
  let isStartedHere = false;
  let cause: unknown;
  const begun = Date.now();
  for (;;) {
    const found = findPostmaster(home.cluster);
    if (found?.isReady) {
      const connection = { host: found.sockets, user: "gatehouse", database: "postgres" };
      home.sockets = found.sockets;
      const presence = await joinStore(connection, onLost).catch((error: unknown) => {
        cause = error;
      });
      if (presence) return { connection, isStartedHere, postmasterPid: found.pid, presence };
    }
    const isEnded =
      child === undefined ||
      child.exitCode !== null ||
      child.signalCode !== null ||
      child.pid === undefined;
    if (Date.now() - begun > (found === undefined && isEnded ? patience : recovery))
      throw failure(home, cause);
    if (found === undefined && isEnded) child = spawnPostmaster(home, isThrowaway);
    await pause(found === undefined && !isEnded ? 5 : 20);
    isStartedHere = child?.exitCode === null && child.pid === findPostmaster(home.cluster)?.pid;
  }
}

function failure(home: Home, cause: unknown): Error {
  const lines = readFileSync(home.log, "utf8").trim().split("\n").slice(-5).join("\n");
  return new Error(
    `The embedded PostgreSQL does not start (log: ${home.log}). Set DATABASE_URL to use another one.\n${lines}`,
    { cause },
  );
}
