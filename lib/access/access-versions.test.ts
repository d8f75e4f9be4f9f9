import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeStore } from "@/lib/database/open";
import { onServer } from "@/lib/database/testing/databases";
import { makeTenant } from "@/lib/setup/testing/factories";
import { isCurrent, learnVersion } from "./access-versions";

const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);

/** A view that replaces the table; one of its tenants may be on an unreachable node of the cluster. */
const tenantsWithout = (tenantId: string) =>
  run(`create or replace view tenants as select tenant_id, endings_seq,
    case when tenant_id = '${tenantId}' then node_is_away() else access_version end as access_version from all_tenants`);

beforeAll(async () => {
  if (inject("testStore").isSharded) return;
  await run(`create function node_is_away() returns bigint language plpgsql as
    $$ begin raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$`);
});

afterAll(async () => {
  if (!inject("testStore").isSharded)
    await run("drop view if exists tenants; alter table if exists all_tenants rename to tenants");
  await closeStore();
});

// A distributed table cannot be replaced by a view: for the cluster, the drill stops a node instead.
test.skipIf(inject("testStore").isSharded)(
  "while one tenant's node is away, the cache of the others stays valid, and that tenant's once it is back",
  async () => {
    const [near, away] = [await makeTenant(), await makeTenant()];
    await closeStore();
    await run("alter table tenants rename to all_tenants");
    await tenantsWithout(away);
    const readAt = performance.now();
    for (const tenantId of [near, away]) learnVersion(tenantId, 0, readAt);
    const current = () => [near, away].map((id) => isCurrent(id, 0, performance.now()));
    // Both were read at the same time, so they differ only once one of them is read again.
    await expect.poll(current).toEqual([true, false]);
    await tenantsWithout("nobody");
    await expect.poll(current).toEqual([true, true]);
  },
);
