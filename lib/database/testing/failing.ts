import { onServer } from "./databases";

/** The error of a rejected promise; undefined if it is fulfilled. */
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

/** Ends every connection to this test file's database, as a stopping server does. */
export async function cutConnections(server: string): Promise<void> {
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  await onServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}
