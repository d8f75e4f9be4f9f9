import type { ClientConfig } from "pg";
import { type Connection, connect, type ServerSession } from "./connection";
import { failed } from "./failures";

interface ActiveSession {
  pid: number;
  /** Waits for a lock. */
  isBlocked: boolean;
  /** Whether it waits for another node of a cluster: the wait event is of an extension, and only Citus has such waits here. */
  isRemote: boolean;
}

/** Reads and ends the server's sessions of our connections, by their process ids. */
export interface ServerSessions {
  /** The sessions that execute a statement. */
  findActive(pids: number[]): Promise<readonly ActiveSession[]>;
  /** Cancels the statements that still wait for a lock. */
  cancelBlocked(pids: number[]): Promise<void>;
  /** Cancels the statements that still wait for another node of the cluster. */
  cancelRemote(pids: number[]): Promise<void>;
  /**
   * Terminates sessions whose connection is dead: otherwise they hold their locks until a server-side timeout. Tries again if
   * the connection used for this is dead too.
   */
  terminate(sessions: ServerSession[]): Promise<void>;
  close(): void;
}

/** Starts after connecting, which has its own timeout. */
const responseTimeoutMs = 500;
const idleTimeoutMs = 10_000;
const serverLimits = { statementMilliseconds: 1000, lockMilliseconds: 1000 };

const active = `select pid, coalesce(wait_event_type = 'Lock', false) as "isBlocked",
    coalesce(wait_event_type = 'Extension', false) as "isRemote"
  from pg_stat_activity where pid = any($1) and state in ('active', 'fastpath function call')`;
const cancel =
  "select pg_cancel_backend(pid) from pg_stat_activity where pid = any($1) and wait_event_type = $2";
const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where (pid, backend_start) in (select * from unnest($1::int[], $2::timestamptz[]))`;
const terminateAttempts = 3;

async function attempts<T>(count: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (count === 1) throw error;
    return attempts(count - 1, work);
  }
}

/**
 * Uses a separate connection, opened for the first query and again after every failure: the connections that serve
 * requests may be dead, or all in use.
 */
export function openServerSessions(config: ClientConfig): ServerSessions {
  let current: Promise<Connection> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const discard = (connection: Promise<Connection> | undefined) => {
    if (current === connection) current = undefined;
    connection?.then(
      ({ destroy }) => destroy(),
      () => undefined,
    );
  };
  const query = async (text: string, ...values: unknown[]) => {
    current ??= connect(config, serverLimits, { isPipelined: true });
    const used = current;
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => discard(current), idleTimeoutMs).unref();
    let timer: NodeJS.Timeout | undefined;
    try {
      const { client } = await used;
      const timeout = new Promise<never>((_, reject) => {
        const error = failed("08006", "The store does not answer.");
        timer = setTimeout(() => reject(error), responseTimeoutMs);
      });
      return (await Promise.race([client.query(text, values), timeout])).rows;
    } catch (error) {
      discard(used);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    findActive: (pids) => query(active, pids),
    async cancelBlocked(pids) {
      await query(cancel, pids, "Lock");
    },
    async cancelRemote(pids) {
      await query(cancel, pids, "Extension");
    },
    async terminate(sessions) {
      const values = [sessions.map(({ pid }) => pid), sessions.map(({ startedAt }) => startedAt)];
      await attempts(terminateAttempts, () => query(terminate, ...values));
    },
    close() {
      clearTimeout(idleTimer);
      discard(current);
    },
  };
}

/** The server may not detect the end of a connection, and keep its locks: it is terminated over another one. */
export function destroyWithSession(
  connection: Connection,
  sessions: ServerSessions | undefined,
): void {
  const left = connection.socket.destroyed ? undefined : connection.session;
  connection.destroy();
  if (left !== undefined) sessions?.terminate([left]).catch(() => undefined);
}
