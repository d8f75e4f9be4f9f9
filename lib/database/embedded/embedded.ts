import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { log } from "@/lib/protocol/log";
import { type Home, prepareHome } from "./home";
import {
  findPostmaster,
  killPostmaster,
  pause,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster";
import { joinStore, type Presence } from "./server-lease";

/** A running embedded PostgreSQL that this process uses. */
export interface Embedded {
  connection: ClientConfig & { host: string; user: string; database: string };
  /** Whether this process started it, or found it running. */
  isStartedHere: boolean;
  postmasterPid: number;
  /** Leaves it, and stops it if no other process is using it, whoever started it. */
  close(): Promise<void>;
  /** Ends the server without asking who else uses it: they bring it back. */
  abandon(): void;
}

declare global {
  /** The one this process uses, also while it is being closed. */
  var gatehouseEmbedded: Embedded | undefined;
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
  const begin = () => run({ home, isThrowaway, onLost, isClosing: () => isClosing });
  const bringBack = async (): Promise<Running> => {
    for (;;) {
      try {
        return await begin();
      } catch (error) {
        if (isClosing) throw error;
        log().error(
          { err: error },
          "the embedded PostgreSQL is down and cannot be started again yet",
        );
        await pause(1000);
      }
    }
  };
  let running = begin();
  const { connection, isStartedHere, postmasterPid } = await running;
  const close = async () => {
    isClosing = true;
    const last = await running.catch(() => undefined);
    if (last)
      await last.presence.leave(
        () => stopPostmaster(home),
        () => killPostmaster(home.cluster),
      );
    // It was being brought back: whoever else uses it brings it back again.
    else await stopPostmaster(home);
    if (globalThis.gatehouseEmbedded === embedded) globalThis.gatehouseEmbedded = undefined;
  };
  const abandon = () => killPostmaster(home.cluster);
  const embedded = { connection, isStartedHere, postmasterPid, close, abandon };
  globalThis.gatehouseEmbedded = embedded;
  return embedded;
}

interface Run {
  home: Home;
  isThrowaway: boolean;
  onLost: () => void;
  isClosing: () => boolean;
}

async function run({ home, isThrowaway, onLost, isClosing }: Run): Promise<Running> {
  let child: ChildProcess | undefined;
  let isStartedHere = false;
  let cause: unknown;
  const begun = Date.now();
  for (;;) {
    if (isClosing()) throw new Error("The store is being closed.");
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
