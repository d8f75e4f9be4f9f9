import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { storeFailure } from "./failures";
import { closeStore, read, storeState } from "./open";
import { failureOf } from "./testing/failing";

afterAll(closeStore);

const count = (name: string, tenant: string) =>
  read(name, "select count(*) from sites where tenant_id = $1", [tenant]);

test("a read queued after a statement that could not be prepared fails as locked, or gets its rows", async () => {
  const holder = new Client({ connectionString: process.env.DATABASE_URL ?? "" });
  await holder.connect();
  await holder.query("begin; lock table sites in access exclusive mode");
  const name = `count-${randomUUID()}`;
  // Sent in one turn on one connection: the second relies on the first to prepare it, and is not executed if that fails.
  const failures = ["one", "two", "three"].map((tenant) => failureOf(count(name, tenant)));
  await expect.poll(() => storeState()?.pipes.reads.waiting).toBe(0);
  await holder.end();
  for (const error of await Promise.all(failures))
    expect(error === undefined || storeFailure(error) === "busy", String(error)).toBe(true);
});
