import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { everyNode } from "@/lib/database/blocked";
import { dataDir } from "@/lib/database/data-dir";
import { onServer } from "@/lib/database/testing/databases";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { Flush, replay, sendBatch } from "./flush";
import { minuteMs } from "./grains";
import { topCalls } from "./query-engine";
import type { RawBatch } from "./recorder";
import {
  abandonedSpools,
  listSpool,
  newSpoolName,
  readSpool,
  type SpoolBatch,
  writeSpool,
} from "./spool";

const since = Date.now();
const minute = Math.floor(since / minuteMs) * minuteMs;
const cell = (count: number, site = "", status = "200") => ({
  values: encodeLabels({
    domain: "user",
    site,
    endpoint: "GET /x",
    method: "GET",
    status,
    credentialKind: "none",
  }),
  count,
  latency: [],
});
const batch = (...entries: [string, number][]): RawBatch =>
  new Map(entries.map(([tenantId, count]) => [tenantId, [cell(count)]]));

async function counted(
  tenantId: string,
  group: "status" | "site" = "status",
): Promise<Record<string, number>> {
  const range = { from: minute - 60 * minuteMs, to: minute + 60 * minuteMs };
  const top = await topCalls(
    {
      tenantId,
      ...range,
      group: [group],
      filters: {},
      statusClasses: [],
      timeZone: "UTC",
      period: undefined,
    },
    10,
  );
  return Object.fromEntries(top.map(({ groups, count }) => [groups[group] ?? "", count]));
}

const spoolOf = (name: string) => join(dataDir(), "spool", "metrics", name);

describe("the spool", () => {
  test("stores counts until the database has them, readable only by its user", async () => {
    const [tenantId, name] = [await makeTenant(), newSpoolName()];
    const flush = new Flush(name);
    flush.put(batch([tenantId, 3]), since);
    const [file = ""] = readdirSync(spoolOf(name));
    expect(statSync(join(spoolOf(name), file)).mode & 0o777).toBe(0o600);
    expect(flush.pendingSince()).toBe(since);
    expect(await flush.drain()).toBe(true);
    expect([readdirSync(spoolOf(name)), flush.pendingSince()]).toEqual([[], undefined]);
    expect(await counted(tenantId)).toEqual({ "200": 3 });
  });

  // A cluster does not support triggers on distributed tables.
  test.skipIf(inject("testStore").isSharded)(
    "while a node of the cluster is away the tenants of the others are counted, and its own once it is back",
    async () => {
      const [near, remote, name] = [await makeTenant(), await makeTenant(), newSpoolName()];
      const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);
      await run(`create function node_of_tails_is_away() returns trigger language plpgsql as $$ begin
        raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$;
      create trigger node_is_away before insert on metric_batches for each row
        when (new.tenant_id = '${remote}' or starts_with(current_query(), '${everyNode}')) execute function node_of_tails_is_away()`);
      const flush = new Flush(name);
      for (const count of [1, 2]) {
        flush.put(batch([remote, 10 * count], [near, count]), since);
        expect(await flush.drain()).toBe(false);
      }
      expect(await counted(near)).toEqual({ "200": 3 });
      await expect(replay(name)).rejects.toThrow("A node of the store's cluster is away.");
      await run("drop trigger node_is_away on metric_batches; drop function node_of_tails_is_away");
      expect([await flush.drain(), flush.waiting()]).toEqual([true, { batches: 0, bytes: 0 }]);
      expect([await counted(near), await counted(remote)]).toEqual([{ "200": 3 }, { "200": 30 }]);
    },
  );

  // The error with which a cluster reports that a shard was moved or split.
  test.skipIf(inject("testStore").isSharded)(
    "a fault of the store itself costs no call: the parts are written one by one, or the batch waits",
    async () => {
      const [parts, waiting, name] = [await makeTenant(), await makeTenant(), newSpoolName()];
      const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);
      await run(`create function shard_was_moved() returns trigger language plpgsql as $$ begin
        raise sqlstate 'XX000' using message = 'could not find valid entry for shard 102041'; end $$;
      create trigger shard_was_moved before insert on metric_batches for each row when (new.tenant_id = '${waiting}'
        or new.tenant_id = '${parts}' and starts_with(current_query(), '${everyNode}')) execute function shard_was_moved()`);
      const flush = new Flush(name);
      flush.put(batch([parts, 3]), since);
      expect([await flush.drain(), await counted(parts)]).toEqual([true, { "200": 3 }]);
      flush.put(batch([waiting, 4]), since);
      expect(await flush.drain()).toBe(false);
      await expect(replay(name)).rejects.toThrow("could not find valid entry");
      await run("drop trigger shard_was_moved on metric_batches; drop function shard_was_moved");
      expect([await flush.drain(), flush.dropped()]).toEqual([true, 0]);
      expect(await counted(waiting)).toEqual({ "200": 4 });
    },
  );

  test("the spool of a killed process is counted once, also when two processes find it", async () => {
    const [tenantId, name] = [await makeTenant(), newSpoolName()];
    for (const seq of [1, 2, 3])
      writeSpool(name, { seq, minute, since, tenants: [[tenantId, [cell(10)]]] });
    const first = await readSpool(name, 1);
    if (first) await sendBatch(name, first);
    await Promise.all([replay(name), replay(name)]);
    expect(await counted(tenantId)).toEqual({ "200": 30 });
    expect(existsSync(spoolOf(name))).toBe(false);
  });

  test.each([
    ["torn", (text: string) => text.slice(0, -20)],
    ["empty", () => ""],
    ["of zeros", (text: string) => "\0".repeat(text.length)],
    ["of another form", () => "{}"],
  ])("a file that is %s is set aside, and the other files are counted", async (_, damage) => {
    const [tenantId, name] = [await makeTenant(), newSpoolName()];
    const batchOf = (seq: number): SpoolBatch => ({
      seq,
      minute,
      since,
      tenants: [[tenantId, [cell(10)]]],
    });
    for (const seq of [1, 2, 3]) writeSpool(name, batchOf(seq));
    const [, second = ""] = readdirSync(spoolOf(name)).sort();
    const damaged = damage(readFileSync(join(spoolOf(name), second), "utf8"));
    writeFileSync(join(spoolOf(name), second), damaged);
    writeFileSync(join(spoolOf(name), "000000000009.json.tmp"), "{");
    await replay(name);
    expect(await counted(tenantId)).toEqual({ "200": 20 });
    expect(existsSync(spoolOf(name))).toBe(false);
    const aside = join(dataDir(), "spool", "set-aside");
    const kept = readdirSync(aside).filter((file) => file.includes(name));
    expect(kept).toHaveLength(2);
    const file = kept.find((one) => one.endsWith(".json")) ?? "";
    expect(readFileSync(join(aside, file), "utf8")).toBe(damaged);
  });

  test("a batch that the database rejects does not block later ones", async () => {
    const [tenantId, name] = [await makeTenant(), newSpoolName()];
    const refused = {
      ...cell(1),
      values: encodeLabels({
        domain: "user",
        endpoint: "GET \0",
        method: "GET",
        status: "200",
        credentialKind: "none",
      }),
    };
    const tenants = [[[tenantId, [refused]]], [[tenantId, [cell(7)]]]] as SpoolBatch["tenants"][];
    tenants.forEach((own, index) => {
      writeSpool(name, { seq: index + 1, minute, since, tenants: own });
    });
    await replay(name);
    expect(await counted(tenantId)).toEqual({ "200": 7 });
    expect(existsSync(spoolOf(name))).toBe(false);
  });

  test("the folder of a dead process is adopted, that of a running one is not", async () => {
    const mine = newSpoolName();
    writeSpool(mine, { seq: 1, minute, since, tenants: [] });
    const [host] = mine.split("-");
    const gone = `${host}-999999999-abc-def`;
    mkdirSync(spoolOf(gone), { recursive: true });
    const found = await abandonedSpools();
    expect([found.includes(mine), found.includes(gone)]).toEqual([false, true]);
  });

  test("while the database is unavailable a minute becomes one file, and nothing is lost", async () => {
    const [tenantId, name] = [await makeTenant(), newSpoolName()];
    const flush = new Flush(name);
    for (let second = 0; second < 20; second += 1)
      flush.put(batch([tenantId, 2]), minute + second * 1000);
    expect((await listSpool(name)).length).toBeLessThan(8);
    await flush.drain();
    expect(await counted(tenantId)).toEqual({ "200": 40 });
  });

  test("a spool that cannot be written drops counts and reports how many", async () => {
    const name = newSpoolName();
    mkdirSync(join(dataDir(), "spool", "metrics"), { recursive: true });
    writeFileSync(spoolOf(name), "in the way");
    const flush = new Flush(name);
    flush.put(batch(["a", 5]), since);
    expect(flush.dropped()).toBe(5);
  });
});

test("an unknown tenant is not counted, an unknown site is counted as none", async () => {
  const tenantId = await makeTenant({ siteIds: ["one"] });
  const tenants: [string, ReturnType<typeof cell>[]][] = [
    ["nobody", [cell(1)]],
    [tenantId, [cell(1, "one"), cell(2, "elsewhere"), cell(4)]],
  ];
  await sendBatch(newSpoolName(), { seq: 1, minute, since, tenants });
  expect(await counted(tenantId, "site")).toEqual({ "": 6, one: 1 });
});
