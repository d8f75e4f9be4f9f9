import { onServer } from "./databases";

/** What a promise is rejected with; undefined when it is kept. */
export async function failureOf(
  work: Promise<unknown> | (() => Promise<unknown>),
): Promise<unknown> {
  try {
    await (typeof work === "function" ? work() : work);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Ends every connection to this test file's database, the way a server does that is being stopped. */
export async function cutConnections(server: string): Promise<void> {
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  await onServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}
