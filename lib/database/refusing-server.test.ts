import { beforeEach, expect, inject, test } from "vitest";
import { closeStore, isStoreDown, read } from "./open";
import { onServer } from "./testing/databases";
import { failureOf } from "./testing/failing";
import { ask } from "./testing/store-work";

const { server } = inject("testStore");

/** The number of connections of this process to its own database, as reported by the server. */
async function countConnections(): Promise<number> {
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const count = `select count(*)::int as n from pg_stat_activity where datname = '${name}' and application_name = 'gatehouse'`;
  const [row] = await onServer<{ n: number }>(server, count);
  return row?.n ?? Number.NaN;
}

/** Other tests in this process may have opened the connections of other pools. */
beforeEach(closeStore);

test("a server that reports an unreachable node keeps its connections, and gets no more of them", async () => {
  await ask();
  const before = await countConnections();
  const away =
    "do $$ begin raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$";
  for (let time = 0; time < 20; time += 1)
    expect(isStoreDown(await failureOf(read("away", away, [])))).toBe(true);
  // On a busy machine a statement may be late: then it is sent again on one more connection.
  expect([0, 1]).toContain((await countConnections()) - before);
});

test("a server that has become read-only is no longer used, and no connection to it stays", async () => {
  await ask();
  const demoted = "do $$ begin raise sqlstate '25006'; end $$";
  for (let time = 0; time < 20; time += 1)
    expect(isStoreDown(await failureOf(read("demoted", demoted, [])))).toBe(true);
  await ask();
  await expect.poll(countConnections).toBeLessThanOrEqual(2);
});
