import type { ClientConfig } from "pg";
import { connect } from "@/lib/database/connection";
import { isStoreDown } from "@/lib/database/failures";

/** Any number, the same in every release: the advisory lock that each process using an embedded store holds in share. */
const inUse = 707_406_378;

/** A server that was stopped by a signal keeps its connections but does not respond. */
const answerMilliseconds = 3000;
/** A server that another process is stopping ends within this time. */
const joinMilliseconds = 15_000;

const bounded = (text: string, query_timeout = answerMilliseconds) => ({
  text,
  values: [inUse],
  query_timeout,
});

const isUnanswered = (error: unknown) =>
  error instanceof Error && error.message === "Query read timeout";

/** One connection kept open for as long as this process uses the store. */
export interface Presence {
  /**
   * Ends the connection, and before that calls `stop` if no other process uses the server: a process that joins in between waits.
   * If the server does not respond, calls `abandon` and fails. Takes a few seconds at most, plus `stop`.
   */
  leave(stop: () => Promise<void>, abandon: () => void): Promise<void>;
}

/** Joins the processes that use this server; fails if one of them is stopping it. Calls `onLost` if the server ends before `leave`. */
export async function joinStore(config: ClientConfig, onLost: () => void): Promise<Presence> {
  let isLeaving = false;
  const onEnd = () => {
    if (!isLeaving) onLost();
  };
  const { client, end, destroy } = await connect(
    { ...config, application_name: "gatehouse-presence" },
    undefined,
    { onEnd },
  );
  try {
    await client.query(bounded("select pg_advisory_lock_shared($1)", joinMilliseconds));
  } catch (error) {
    isLeaving = true;
    destroy();
    throw error;
  }
  return {
    async leave(stop, abandon) {
      isLeaving = true;
      try {
        await client.query(bounded("select pg_advisory_unlock_shared($1)"));
        const { rows } = await client.query<{ isSole: boolean }>(
          bounded('select pg_try_advisory_lock($1) as "isSole"'),
        );
        if (rows[0]?.isSole) await stop();
      } catch (error) {
        if (isUnanswered(error)) {
          abandon();
          throw new Error("The embedded PostgreSQL did not answer and was killed.", {
            cause: error,
          });
        }
        if (!isStoreDown(error)) throw error;
      } finally {
        await end();
      }
    },
  };
}
