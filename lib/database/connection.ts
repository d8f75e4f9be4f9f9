import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { perProcess } from "@/lib/protocol/per-process";
import { splitHosts } from "@/lib/protocol/setting-formats";
import { setting } from "@/lib/protocol/settings";
import { failed } from "./failures";

/** For each connection string with several servers, the one that last accepted writes. */
const lastWritable = perProcess("writable-servers", () => new Map<string, string>());

/**
 * Opens a connection to the configured server that accepts writes: tries the one that last did, else all at once. `open` must
 * fail for a read-only server if `mustWrite` is true. Fails with the most specific error of the attempts.
 */
export async function openWritable<Opened>(
  config: ClientConfig,
  open: (server: ClientConfig, mustWrite: boolean) => Promise<Opened>,
  discard: (unneeded: Opened) => void,
): Promise<Opened> {
  const { connectionString = "", ...rest } = config;
  const servers = connectionString === "" ? [] : splitHosts(connectionString);
  if (servers.length < 2)
    return open(
      servers[0] === undefined ? config : { ...rest, connectionString: servers[0] },
      false,
    );
  const last = lastWritable().get(connectionString);
  if (last !== undefined) {
    try {
      return await open({ ...rest, connectionString: last }, true);
    } catch {
      lastWritable().delete(connectionString);
    }
  }
  const attempts = servers.map(async (server) => {
    const opened = await open({ ...rest, connectionString: server }, true);
    return { server, opened };
  });
  try {
    const first = await Promise.any(attempts);
    lastWritable().set(connectionString, first.server);
    for (const attempt of attempts)
      attempt.then(
        ({ opened }) => (opened === first.opened ? undefined : discard(opened)),
        () => undefined,
      );
    return first.opened;
  } catch (error) {
    throw pickError((error as AggregateError).errors);
  }
}

/** A server's own error is more specific than one about an unreachable server. */
function pickError(errors: unknown[]): unknown {
  const isAnswer = (error: unknown) =>
    error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
  return errors.find(isAnswer) ?? errors[0];
}

/** Options of all our connections. */
export const session: ClientConfig = {
  application_name: "gatehouse",
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
};

/** The server's timeouts for a statement, and for its wait for a lock. 0 means none. */
export interface ServerLimits {
  statementMilliseconds: number;
  lockMilliseconds: number;
  /** Further statements to run first on the connection. */
  settings?: string | undefined;
}

/** How long a coordinator of Citus tries to reach a node, by default 30 s. Without Citus it has no effect. */
const nodeMilliseconds = 2000;

/**
 * Set by statements, not in the start-up packet, in which a connection pooler rejects unknown settings. Compiling statements (JIT, on
 * by default from PostgreSQL 12) adds over a second to a metrics query and makes none of ours faster.
 */
function settingsOf({
  statementMilliseconds,
  lockMilliseconds,
  settings = "",
}: ServerLimits): string {
  const idleMilliseconds = Math.ceil(1.5 * setting("STORE_TIMEOUT_MS"));
  return `set timezone = 'UTC'; set statement_timeout = ${statementMilliseconds}; set lock_timeout = ${lockMilliseconds};
    set jit = off; set citus.node_connection_timeout = ${nodeMilliseconds}; set idle_in_transaction_session_timeout = ${idleMilliseconds}; ${settings}`;
}

/** Let the server detect a client that is gone; not supported on every system. */
const wishes = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000;
  set client_connection_check_interval = 1000`;

/** A session of the server. The process id is not unique, because it may be reused. */
export interface ServerSession {
  pid: number;
  /** In the server's format, to the microsecond. */
  startedAt: string;
}

const ownSession = `select pid, backend_start::text as "startedAt" from pg_stat_activity
  where pid = pg_backend_pid()`;

/** One connection to the store. */
export interface Connection {
  client: Client;
  socket: Socket;
  /** The server's session, if there is no pooler between the server and us. */
  session: ServerSession | undefined;
  /** Closes the socket at once: pending statements fail. */
  destroy(): void;
  /** Closes after pending statements have their results; does not wait long for a server that does not close its side. */
  end(): Promise<void>;
}

interface ConnectionOptions {
  isPipelined?: boolean;
  /** Called once, whichever side ends it. */
  onEnd?: (() => void) | undefined;
}

/** A connection that may still be discarded for one to another server. */
interface Candidate extends Connection {
  isEnded: boolean;
  onEnd: () => void;
}

/** Opens a connection, with several servers to the one that accepts writes. Fails after STORE_TIMEOUT_MS. */
export async function connect(
  config: ClientConfig,
  limits: ServerLimits | undefined,
  { isPipelined = false, onEnd = () => undefined }: ConnectionOptions = {},
): Promise<Connection> {
  const chosen = await openWritable(
    config,
    async (server, mustWrite) => {
      const candidate = await connectTo(server, limits, isPipelined);
      if (mustWrite) await assertWritable(candidate);
      return candidate;
    },
    ({ destroy }) => destroy(),
  );
  if (chosen.isEnded) throw failed("08006", "Connection terminated as soon as it was made.");
  chosen.onEnd = onEnd;
  return chosen;
}

async function assertWritable({ client, destroy }: Connection): Promise<void> {
  const tooLate = setTimeout(destroy, setting("STORE_TIMEOUT_MS"));
  try {
    const { rows } = await client.query("show transaction_read_only");
    if (rows[0]?.transaction_read_only !== "on") return;
    throw failed("25006", "This server is read-only.");
  } catch (error) {
    destroy();
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

async function connectTo(
  config: ClientConfig,
  limits: ServerLimits | undefined,
  isPipelined: boolean,
): Promise<Candidate> {
  const candidate = makeCandidate(config, isPipelined);
  const { client, socket } = candidate;
  const tooLate = setTimeout(
    () => socket.destroy(new Error("timeout expired")),
    setting("STORE_TIMEOUT_MS"),
  );
  try {
    await client.connect();
    if (limits !== undefined) {
      const [results] = await Promise.all([
        client.query(`${settingsOf(limits)}; ${ownSession}`),
        client.query(wishes).catch(() => undefined),
      ]);
      const session: ServerSession | undefined = [results].flat().at(-1)?.rows[0];
      // A pooler reports another process id.
      if (session?.pid === Reflect.get(client, "processID")) candidate.session = session;
    }
    if (socket.destroyed) throw failed("08006", "Connection terminated as soon as it was made.");
    return candidate;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

function makeCandidate(config: ClientConfig, isPipelined: boolean): Candidate {
  const socket = new Socket();
  const client = new Client({ ...session, ...config, pipeline: isPipelined, stream: () => socket });
  const destroy = () =>
    void socket.destroy(new Error("Connection terminated: the store does not answer."));
  const candidate: Candidate = {
    client,
    socket,
    session: undefined,
    destroy,
    async end() {
      const patience = setTimeout(destroy, 1000);
      await client.end();
      clearTimeout(patience);
    },
    isEnded: false,
    onEnd: () => undefined,
  };
  const onEnd = () => {
    if (!candidate.isEnded) candidate.onEnd();
    candidate.isEnded = true;
  };
  // Without a listener, a connection closed by the server would end the process.
  client.on("error", onEnd).on("end", onEnd);
  return candidate;
}
