import { Client } from "pg";

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

/** Runs one statement on the server itself, such as CREATE DATABASE. */
export async function onServer(server: string, text: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Makes the database unless it is there; `template` names the one to copy, an empty one by default. */
export async function makeDatabase(server: string, name: string, template = "template1"): Promise<void> {
  try {
    await onServer(server, `create database ${name} template ${template}`);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "42P04";
    if (!exists) throw error;
  }
}
