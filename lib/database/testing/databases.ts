import { Client, type QueryResultRow } from "pg";

declare module "vitest" {
  export interface ProvidedContext {
    /** The run's server, its template database (whose name every other begins with) and its folder. */
    testStore: { server: string; run: string; folder: string };
  }
}

/** The same server's other database. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a separate connection, such as CREATE DATABASE. */
export async function onServer<Row extends QueryResultRow>(
  server: string,
  text: string,
): Promise<Row[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the database unless it is there; `template` names the one to copy, an empty one by default. */
export async function makeDatabase(
  server: string,
  name: string,
  template = "template1",
): Promise<void> {
  try {
    await onServer(server, `create database ${name} template ${template}`);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "42P04";
    if (!exists) throw error;
  }
}

/** Drops every database whose name begins like this. */
export async function dropDatabases(server: string, prefix: string): Promise<void> {
  const found = await onServer<{ name: string }>(
    server,
    `select datname as name from pg_database where starts_with(datname, '${prefix}')`,
  );
  for (const { name } of found) await onServer(server, `drop database ${name} with (force)`);
}
