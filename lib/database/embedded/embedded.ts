import type { ChildProcess } from "node:child_process";
import { readFileSync, statfsSync } from "node:fs";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { type Home, prepareHome } from "./home";
import { takeFromNobody } from "./ownership";
import {
  findPostmaster,
  killPostmaster,
  pause,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster";
import { connectionAs, prepareRoles, type Role, type RoleConnection, writeAccess } from "./roles";
import { joinStore, type Presence } from "./server-lease";

/** A running embedded PostgreSQL that this process uses. */
export interface Embedded {
  /** Connects as the role for requests. */
  connection: RoleConnection;
  /** Connects as the owner of the schema: for migrations, partitions, and deletions from the audit trail. */
  owner: RoleConnection;
  /** Connects as the superuser, for tests and for creating databases. */
  superuser: RoleConnection;
  /** Whether this process started it, or found it running. */
  isStartedHere: boolean;
  postmasterPid: number;
  /** Stops using it, and stops it if no other process uses it, whichever process started it. */
  close(): Promise<void>;
  /** Ends the server even if other processes use it: they restart it. */
  abandon(): void;
}

/** The server that this process uses, also while it is being closed. */
export const currentEmbedded = perProcess(
  "embedded-store",
  (): { embedded: Embedded | undefined } => ({ embedded: undefined }),
);

interface Options {
  /** For tests: does not wait for the disk. */
  isThrowaway?: boolean;
}

type Running = Pick<Embedded, "connection" | "isStartedHere" | "postmasterPid"> & {
  presence: Presence;
};

/** How long a start is retried: a server that was just killed can prevent it for up to 2 seconds. */
const patience = 10_000;
/** How long a running server may take to accept connections: it may be recovering. */
const recovery = 60_000;

/** Starts the PostgreSQL of this data folder, or adopts the one that runs. Restarts it if it dies while in use. */
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
  const as = (role: Role) => connectionAs(role, home.secret, home.sockets);
  let running = begin();
  const { connection, isStartedHere, postmasterPid } = await running;
  const [owner, superuser] = [as("owner"), as("setup")];
  const close = async () => {
    isClosing = true;
    const last = await running.catch(() => undefined);
    if (last)
      await last.presence.leave(
        () => stopPostmaster(home),
        () => killPostmaster(home.cluster),
      );
    // The server was being restarted: another process that uses it restarts it again.
    else await stopPostmaster(home);
    if (currentEmbedded().embedded === embedded) currentEmbedded().embedded = undefined;
  };
  const abandon = () => killPostmaster(home.cluster);
  const embedded = { connection, owner, superuser, isStartedHere, postmasterPid, close, abandon };
  currentEmbedded().embedded = embedded;
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
  const startedAt = Date.now();
  for (;;) {
    if (isClosing()) throw new Error("The store is being closed.");
    const found = findPostmaster(home.cluster);
    if (found?.isReady) {
      home.sockets = found.sockets;
      const connection = connectionAs("service", home.secret, found.sockets);
      const join = () => joinStore(connection, onLost);
      const presence = await prepareRoles(home, found.sockets)
        .then(join)
        .catch((error: unknown) => {
          cause = error;
        });
      if (isRejected(cause)) throw rejected(home);
      if (presence) return { connection, isStartedHere, postmasterPid: found.pid, presence };
    }
    const isEnded =
      child === undefined ||
      child.exitCode !== null ||
      child.signalCode !== null ||
      child.pid === undefined;
    if (Date.now() - startedAt > (found === undefined && isEnded ? patience : recovery))
      throw failure(home, cause);
    if (found === undefined && isEnded) child = spawnOwn(home, isThrowaway);
    await pause(found === undefined && !isEnded ? 5 : 20);
    isStartedHere = child?.exitCode === null && child.pid === findPostmaster(home.cluster)?.pid;
  }
}

/** Starts the server as a separate user, and without passwords only until its roles have them. */
function spawnOwn(home: Home, isThrowaway: boolean): ChildProcess {
  home.owner = takeFromNobody(home.cluster, home.sockets);
  if (home.isSecretNew) writeAccess(home.cluster, home.owner, true);
  return spawnPostmaster(home, isThrowaway);
}

const isRejected = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "28P01";

const rejected = ({ cluster }: Home) =>
  new Error(
    `The embedded PostgreSQL of ${cluster} does not know the password made from DATA_DIR/postgres-secret. Bring that file back; or stop every process that uses the store, remove the file and start again: new passwords are made then.`,
  );

function failure(home: Home, cause: unknown): Error {
  const lines = readFileSync(home.log, "utf8").trim().split("\n").slice(-5).join("\n");
  const { bavail } = statfsSync(home.cluster);
  const why =
    bavail === 0 || lines.includes("No space left on device")
      ? `The disk of ${home.cluster} is full. Make room and start again (log: ${home.log}).`
      : `The embedded PostgreSQL does not start (log: ${home.log}). Set DATABASE_URL to use another one.`;
  return new Error(`${why}\n${lines}`, { cause });
}
