import { describe, expect, inject, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { rowsRead } from "@/lib/database/testing/rows-read";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { readEvents } from "@/lib/features/destinations/webhooks/delivery-rows";
import { eventTypes } from "@/lib/features/events/catalogue";
import { choiceOf, eventOf } from "@/lib/features/events/event";
import { chosenRowsAfter, rowsAfter } from "@/lib/features/events/rows";
import { eventKinds } from "@/lib/features/events/values";
import { testServer } from "@/lib/http/testing/test-server";
import type { AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
/** More rows than a request may scan. */
const many = 12_000;
const rowsOfRequest = 10_000;

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const happen = (
    action: string,
    target: AuditTarget,
    { changes = {}, daysAgo = 0 }: { changes?: AuditChanges; daysAgo?: number } = {},
  ) =>
    transaction((tx) => {
      const at = new Date(Date.now() - daysAgo * 86_400_000);
      return record(tx, actingAsSystem(tenant, "test"), { action, target, changes }, at);
    });
  return { tenant, happen, headers: (await makeApiKey(tenant, userId)).headers };
}

type World = Awaited<ReturnType<typeof world>>;
const run = (text: string, values: unknown[]) => db().$client.query(text, values);

/** Appends `count` copies of the newest audit entry, a millisecond apart, the precision of their times. Their hash chain is invalid. */
async function fillTrail({ tenant }: World, count: number) {
  const { rows } = await run(
    `update tenants set audit_seq = audit_seq + $2, audit_at = audit_at + $2 * interval '1 millisecond'
     where tenant_id = $1 returning audit_seq - $2 as seq`,
    [tenant, count],
  );
  await run(
    `insert into audit_events (tenant_id, seq, audit_id, occurred_at, actor, action, target, changes, request_id, result, salt, address_hash, agent_hash, previous_hash, hash)
     select $1, $2::bigint + n, 'aud_many' || ($2::bigint + n), occurred_at + n * interval '1 millisecond', actor, action, target, changes, request_id, result, salt, address_hash, agent_hash, previous_hash, hash
     from audit_events, generate_series(1, $3::int) as n where tenant_id = $1 and seq = $2::bigint`,
    [tenant, rows[0]?.seq, count],
  );
}

/** Appends this many activities of one customer at a site, newer than all others. */
async function fillDoings({ tenant }: World, siteId: string, action: string, count: number) {
  const at = new Date();
  await run(
    `insert into customers (tenant_id, customer_id, login, login_key, password_hash, details, registered_at, revision)
     values ($1, 'cust_1', 'c', 'c', '', '{}', $2, 1) on conflict do nothing`,
    [tenant, at],
  );
  const { rows } = await run(
    `update tenants set event_seq = event_seq + $2 where tenant_id = $1 returning event_seq - $2 as event, audit_seq as audit`,
    [tenant, count],
  );
  await run(
    `insert into customer_activity (tenant_id, activity_id, customer_id, occurred_at, action, site_id, fields, request_id, address, agent, audit_seq, event_seq)
     select $1, 'act_' || ($2::bigint + n), 'cust_1', $7, $3, $4, '[]', 'req_1', '', '', $5::bigint, $2::bigint + n from generate_series(1, $6::int) as n`,
    [tenant, rows[0]?.event, action, siteId, rows[0]?.audit, count, at],
  );
}

const next = (answer: { headers: Headers }) =>
  /^<(.+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
const subjects = (answer: { body: { subject: string }[] }) =>
  answer.body.map(({ subject }) => subject);
const user = (id: string) => ({ type: "user" as const, id });

describe("a filtered page is full or ends the feed, whatever is between its events", () => {
  test("200: by type", async () => {
    const given = await world();
    const unlock = (id: string) => given.happen("user.unlocked", user(id));
    await unlock("a");
    await given.happen("user.locked", user("many"));
    await fillTrail(given, many);
    for (const id of ["b", "c"]) await unlock(id);
    const { headers } = given;
    const first = await send("GET /v1/events?type=user.unlocked&limit=2", { headers });
    expect(subjects(first)).toEqual(["user/a", "user/b"]);
    const second = await send(`GET ${next(first)}`, { headers });
    expect(subjects(second)).toEqual(["user/c"]);
    const third = await send(`GET ${next(second)}`, { headers });
    expect(subjects(third)).toEqual([]);
    await unlock("d");
    expect(subjects(await send(`GET ${next(third)}`, { headers }))).toEqual(["user/d"]);
  });

  test("200: by type, of customer activity", async () => {
    const given = await world();
    await fillDoings(given, "eu", "signed-in", many);
    await fillDoings(given, "eu", "password-reset", 1);
    const rare = "GET /v1/events?type=customer.password-changed";
    const { body } = await send(rare, { headers: given.headers });
    expect(body).toMatchObject([{ type: "gatehouse.customer.password-changed", site: "eu" }]);
  });

  test("200: by site, of both sources", async () => {
    const given = await world();
    await given.happen("preview.updated", { type: "preview", id: "p", name: "eu/home" });
    await fillTrail(given, many);
    await fillDoings(given, "eu", "signed-in", many);
    await given.happen("preview.updated", { type: "preview", id: "q", name: "us/home" });
    await fillDoings(given, "us", "signed-in", 1);
    const { headers } = given;
    const page = await send("GET /v1/events?site=us", { headers });
    expect(subjects(page)).toEqual(["preview/q", "customer/cust_1"]);
    const typed = await send("GET /v1/events?site=us&type=customer.*", { headers });
    expect(subjects(typed)).toEqual(["customer/cust_1"]);
  });

  test("200: the first page has a Link even if it is empty", async () => {
    const given = await world();
    const { headers } = given;
    const empty = await send("GET /v1/events?type=view.created", { headers });
    expect(empty.body).toEqual([]);
    await given.happen("view.created", { type: "view", id: "v" });
    expect(subjects(await send(`GET ${next(empty)}`, { headers }))).toEqual(["view/v"]);
  });
});

test("the query finds the same site for an entry as its event has", async () => {
  const { tenant, happen } = await world();
  await happen("site.updated", { type: "site", id: "eu" });
  await happen("customer.searched", { type: "site", id: "us" });
  await happen("alert.fired", { type: "alert", id: "a" }, { changes: { site: { after: "eu" } } });
  await happen("alert.fired", { type: "alert", id: "b" });
  await happen("preview.updated", { type: "preview", id: "p", name: "eu/home" });
  await happen("release.published", { type: "release", id: "r", name: "us/r" });
  await happen("release.failed", { type: "release", id: "s" });
  await happen("user.locked", { type: "user", id: "eu", name: "eu/x" });
  const start = { auditSeq: 0, eventSeq: 0 };
  const all = (await rowsAfter(tenant, start, new Date(0), 100)).map((row) => eventOf(tenant, row));
  for (const site of ["eu", "us"]) {
    const choice = choiceOf(undefined, site) ?? { entries: [], doings: [] };
    const found = await chosenRowsAfter(tenant, start, new Date(0), { ...choice, limit: 100 });
    const wanted = all.filter((event) => event.site === site).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(1);
    expect(found.map((row) => eventOf(tenant, row).id)).toEqual(wanted);
  }
});

test("a webhook gets the events that match any of its patterns, from both sources", async () => {
  const given = await world();
  const { tenant, happen } = given;
  for (const action of ["user.updated", "tenant.quota-changed", "user.locked"])
    await happen(action, { type: "user", id: "a" });
  await fillDoings(given, "eu", "password-reset", 1);
  const read = async (...types: string[]) => {
    const page = await readEvents(tenant, { auditSeq: 0, eventSeq: 0 }, 10, {
      types,
      site: undefined,
    });
    return page.map(({ event }) => event.type.slice("gatehouse.".length));
  };
  expect(await read("user.locked", "customer.*")).toEqual([
    ...["user.locked", "customer.password-changed"],
  ]);
  expect(await read("tenant.*")).toEqual(["tenant.quota-changed"]);
  expect(await read("user.locked", "*")).toHaveLength(4);
});

test("no filter scans more rows than a request may", () => {
  const patterns = eventKinds.map((kind) => `${kind}.*`);
  const names = [...eventTypes.map(({ type }) => type), ...patterns];
  const costs = [...names, "*", undefined].flatMap((type) =>
    [undefined, "eu"].map((site) => {
      const { entries, doings } = choiceOf(type, site) ?? { entries: [], doings: [] };
      return (entries.length + doings.length) * 200;
    }),
  );
  expect(Math.max(...costs)).toBeLessThanOrEqual(rowsOfRequest);
});

// A Citus coordinator creates no generic plan to inspect.
test.skipIf(inject("testStore").isSharded)(
  "a statement reads the rows that it returns, not those between them or too old ones",
  async () => {
    const given = await world();
    const { tenant, headers, happen } = given;
    const home = { type: "preview" as const, id: "p", name: "eu/home" };
    await happen("preview.updated", home, { daysAgo: 40 });
    await fillTrail(given, many);
    await happen("preview.updated", home, { daysAgo: 1 });
    await fillTrail(given, many);
    await fillDoings(given, "eu", "signed-in", many);
    await happen("preview.updated", { type: "preview", id: "r", name: "us/home" });
    await fillDoings(given, "us", "password-reset", 3);
    await run("analyze audit_events, customer_activity", []);
    for (const query of ["limit=5", "type=customer.*", "site=us"])
      expect((await send(`GET /v1/events?${query}`, { headers })).body.length).toBeGreaterThan(3);
    const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const values = [tenant, 0, 0, since, 5];
    const lists = (type: string | undefined, site?: string) => {
      const { entries, doings } = choiceOf(type, site) ?? { entries: [], doings: [] };
      return [`{${entries}}`, `{${doings}}`];
    };
    expect(await rowsRead("events-after", values)).toBeLessThan(20);
    expect(await rowsRead("events-of-types", [...values, ...lists("customer.*")])).toBeLessThan(40);
    // Also for actions without entries, though the statistics know few different ones.
    expect(await rowsRead("events-of-types", [...values, ...lists("webhook.*")])).toBeLessThan(40);
    const ofSite = [...values, ...lists(undefined, "us"), "us"];
    expect(await rowsRead("events-of-site", ofSite)).toBeLessThan(40);
  },
);
