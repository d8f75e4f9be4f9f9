import { Client, type ClientConfig } from "pg";
import { isStoreDown } from "@/lib/database/failures";

/** Any number, the same in every release: the advisory lock that each process using an embedded store holds in share. */
const inUse = 707_406_378;

/** A server that was stopped by a signal keeps its connections and answers nothing. */
const answerMilliseconds = 3000;

const bounded = (text: string) => ({
  text,
  values: [inUse],
  query_timeout: answerMilliseconds,
});

const isUnanswered = (error: unknown) =>
  error instanceof Error && error.message === "Query read timeout";

/** One connection kept open for as long as this process uses the store. */
export interface Presence {
  /**
   * Ends the connection, and calls `stop` before that if nobody else is using the server: whoever comes in between waits.
   * Calls `abandon` when the server does not answer that question, and fails then.
   */
  leave(stop: () => Promise<void>, abandon: () => void): Promise<void>;
}

/** Joins the processes that use this server; fails if one of them is just stopping it. `onLost` is called if it goes away before `leave`. */
export async function joinStore(connection: ClientConfig, onLost: () => void): Promise<Presence> {
  const client = new Client({
    ...connection,
    application_name: "gatehouse-presence",
    connectionTimeoutMillis: 5000,
  });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("select pg_advisory_lock_shared($1)", [inUse]);
  client.once("end", onLost);
  return {
    async leave(stop, abandon) {
      client.off("end", onLost);
      try {
        await client.query(bounded("select pg_advisory_unlock_shared($1)"));
        const { rows } = await client.query<{ isSole: boolean }>(
          bounded('select pg_try_advisory_lock($1) as "isSole"'),
        );
        if (rows[0]?.isSole) await stop();
      } catch (error) {
        if (!isUnanswered(error) && isStoreDown(error)) return;
        if (isUnanswered(error)) abandon();
        throw error;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
