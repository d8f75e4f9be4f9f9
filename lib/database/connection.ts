import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { perProcess } from "@/lib/protocol/per-process";
import { splitHosts } from "@/lib/protocol/setting-formats";
import { failed } from "./failures";

/** Which of several servers accepted writes last, by the connection string that names them. */
const lastWritable = perProcess("writable-servers", () => new Map<string, string>());

/**
 * Opens a connection to the one of the configured servers that accepts writes: the one that did last, else all are tried at once.
 * `open` must fail for a server that is read-only when it is asked to. Fails with the most specific error of the attempts.
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

/** What a server answered says more than that another cannot be reached. */
function pickError(errors: unknown[]): unknown {
  const isAnswer = (error: unknown) =>
    error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
  return errors.find(isAnswer) ?? errors[0];
}

/** How long anything may take to open a connection, its settings among it. */
export const connectMilliseconds = 2000;

/** What is sent to a server on each of our connections before anything else. */
export const session: ClientConfig = {
  application_name: "gatehouse",
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
};

/** How long the server lets a statement of a connection run, and wait for a lock. 0 has no end. */
export interface ServerLimits {
  statementMilliseconds: number;
  lockMilliseconds: number;
  /** Further statements for the connection to begin with. */
  settings?: string | undefined;
}

/** How long a coordinator of Citus tries to reach a node, by itself half a minute. Elsewhere nobody reads it. */
const nodeMilliseconds = 2000;

/**
 * Set by statements, not in the start-up packet: a pooler between us and the server rejects what it does not know there.
 * Compiling a statement (JIT, on by default from PostgreSQL 12) costs a question of metrics over a second, and saves none of ours any.
 */
function settingsOf({
  statementMilliseconds,
  lockMilliseconds,
  settings = "",
}: ServerLimits): string {
  return `set timezone = 'UTC'; set statement_timeout = ${statementMilliseconds}; set lock_timeout = ${lockMilliseconds};
    set jit = off; set citus.node_connection_timeout = ${nodeMilliseconds}; set idle_in_transaction_session_timeout = 3000; ${settings}`;
}

/** With these a server forgets a client that is gone; not every system has them. */
const wishes = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000;
  set client_connection_check_interval = 1000`;

/** A session of the server. Its process id may be reused later, so it is not enough. */
export interface ServerSession {
  pid: number;
  /** As the server writes it, to the microsecond. */
  startedAt: string;
}

const ownSession = `select pid, backend_start::text as "startedAt" from pg_stat_activity
  where pid = pg_backend_pid()`;

/** One connection to the store. */
export interface Connection {
  client: Client;
  socket: Socket;
  /** What serves it, where nothing stands between the server and us. */
  session: ServerSession | undefined;
  /** At once, the socket too: what was asked and is not answered fails. */
  destroy(): void;
  /** After what was asked is answered; a server that does not close its side is not waited for. */
  end(): Promise<void>;
}

interface ConnectionOptions {
  isPipelined?: boolean;
  /** Called once, whichever side ends it. */
  onEnd?: (() => void) | undefined;
}

/** A connection that may still give way to one to another server. */
interface Candidate extends Connection {
  isEnded: boolean;
  onEnd: () => void;
}

/** Opens one, of several servers to the one that accepts writes. Whatever hangs is given up after `connectMilliseconds`. */
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
  const tooLate = setTimeout(destroy, connectMilliseconds);
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
    connectMilliseconds,
  );
  try {
    await client.connect();
    if (limits !== undefined) {
      const [results] = await Promise.all([
        client.query(`${settingsOf(limits)}; ${ownSession}`),
        client.query(wishes).catch(() => undefined),
      ]);
      const session: ServerSession | undefined = [results].flat().at(-1)?.rows[0];
      // A pooler answers with its own number.
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
  // Without a listener a connection that the server ends would end the process.
  client.on("error", onEnd).on("end", onEnd);
  return candidate;
}
