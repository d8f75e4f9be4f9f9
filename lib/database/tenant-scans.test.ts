import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onServer } from "@/lib/database/testing/databases";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { closeStore } from "./open";
import { readAllTenants, readOfTenants, setActiveTenants } from "./tenant-scans";

const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);

/** A view that replaces a distributed table; one of its tenants may be on an unreachable node. */
const rowsWithout = (tenantId: string) =>
  run(`create or replace view scan_rows as select tenant_id,
    case when tenant_id = '${tenantId}' then node_of_scan_is_away() else due end as due from all_scan_rows`);
const scan =
  'select tenant_id as "tenantId" from scan_rows where due <= $1 and tenant_id > $2 order by tenant_id';
const scanned = async (after = "") =>
  (await readAllTenants<{ tenantId: string }>("test-scan", scan, [5, after])).map(
    ({ tenantId }) => tenantId,
  );

beforeAll(() =>
  run(`create table all_scan_rows (tenant_id text primary key, due int not null);
    insert into all_scan_rows values ('near', 1), ('remote', 2), ('later', 9);
    create function node_of_scan_is_away() returns int language plpgsql as
      $$ begin raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$`),
);
beforeEach(() => resetPerProcess("tenant-scans"));
afterAll(async () => {
  await run(
    "drop view if exists scan_rows; drop table all_scan_rows; drop function node_of_scan_is_away",
  );
  await closeStore();
});

test("while a node is unreachable a scan reads the tenants of the others, and all once it is back", async () => {
  await rowsWithout("nobody");
  expect(await scanned()).toEqual(["near", "remote"]);
  await rowsWithout("remote");
  expect(await scanned()).toEqual(["near"]);
  expect(await scanned("near")).toEqual([]);
  await rowsWithout("nobody");
  expect(await scanned()).toEqual(["near", "remote"]);
});

test("a process that started while a node is unreachable scans the tenants whose requests it serves", async () => {
  await rowsWithout("remote");
  expect(await scanned()).toEqual([]);
  setActiveTenants(() => ["near", "remote", "later"]);
  expect(await scanned()).toEqual(["near"]);
});

test("a list of tenants is read one by one while the node of one of them is unreachable", async () => {
  await rowsWithout("remote");
  const text = 'select tenant_id as "tenantId", due from scan_rows where tenant_id = any($1)';
  const rows = await readOfTenants("test-list", text, ["near", "remote", "later"]);
  expect(rows).toEqual([
    { tenantId: "near", due: 1 },
    { tenantId: "later", due: 9 },
  ]);
});

test("a failure that is not about another node is thrown", async () => {
  await run("drop view scan_rows");
  await expect(scanned()).rejects.toThrow("scan_rows");
});
