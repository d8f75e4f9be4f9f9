import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { keptQuery } from "@/lib/features/views/values";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
interface Person {
  headers: Record<string, string>;
}

const wanted = { page: "metrics", name: "Errors", query: "range=7d&group=site", home: true };
let tenant: string;
let jo: Person;
let max: Person;

async function person(...roleIds: string[]): Promise<Person> {
  const { userId } = await makeUser(tenant, { roleIds });
  return { headers: (await makeSession(tenant, userId)).headers };
}

beforeEach(async () => {
  tenant = await makeTenant();
  jo = await person("portal.analytics.mgmt");
  max = await person("portal.analytics.mgmt");
});

const create = (body: object = {}, { headers } = jo) =>
  send("POST /v1/views", { headers, body: { ...wanted, ...body } });
async function save(body: object = {}, who = jo): Promise<string> {
  const answer = await create(body, who);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}
const change = (id: string, body: object, { headers } = jo) =>
  send(`PATCH /v1/views/${id}`, { headers, body });
async function onHome({ headers }: Person): Promise<string[]> {
  const answer = await send("GET /v1/views?page=metrics", { headers });
  const views = answer.body as { id: string; home: boolean }[];
  return views.filter(({ home }) => home).map(({ id }) => id);
}

test("200: a chart is on the home page of its author; a shared one, of every user who may read metrics", async () => {
  const id = await save();
  expect([await onHome(jo), await onHome(max)]).toEqual([[id], []]);
  await change(id, { shared: true });
  expect(await onHome(max)).toEqual([id]);
  expect(await onHome(await person("portal.users.mgmt"))).toEqual([]);
  expect((await change(id, { home: false })).body).toMatchObject({ home: false, shared: true });
  expect([await onHome(jo), await onHome(max)]).toEqual([[], []]);
});

test("403: a shared chart is removed from the home page only by its author and a tenant.admin", async () => {
  const id = await save({ shared: true });
  const answer = await change(id, { home: false }, max);
  expect([answer.status, answer.body.code]).toEqual([403, "view.of-other"]);
  expect(await onHome(max)).toEqual([id]);
  expect((await change(id, { home: false }, await person("tenant.admin"))).status).toBe(200);
});

test("404: another tenant's chart is neither visible nor changeable", async () => {
  const id = await save({ shared: true });
  tenant = await makeTenant();
  const stranger = await person("tenant.admin", "portal.analytics.mgmt");
  expect(await onHome(stranger)).toEqual([]);
  expect((await change(id, { home: false }, stranger)).status).toBe(404);
  expect(await onHome(jo)).toEqual([id]);
});

test("400: only views of the metrics page are charts", async () => {
  const list = { page: "users", query: "lock=true" };
  const answer = await create(list);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('"/home"')]);
  const id = await save({ ...list, home: false }, await person("portal.users.mgmt"));
  const own = await save({ ...list, home: false });
  const changed = await change(own, { home: true });
  expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('"/home"')]);
  expect((await change(id, { home: true })).status).toBe(404);
});

test("409: the home page has at most 6 charts of a user and 6 shared ones", async () => {
  for (let n = 0; n < 6; n++) await save({ name: `Own ${n}` });
  const surplus = await create();
  expect([surplus.status, surplus.body.reason]).toEqual([409, "home"]);
  const kept = await save({ home: false });
  expect((await change(kept, { home: true })).body.code).toBe("view.limit-reached");
  for (let n = 0; n < 6; n++) await save({ name: `Shared ${n}`, shared: true });
  expect((await create({ shared: true })).status).toBe(409);
  const [first = ""] = await onHome(max);
  await change(first, { home: false });
  expect((await change(first, { home: true })).status).toBe(200);
  expect(await onHome(jo)).toHaveLength(12);
});

test("adding a chart to the home page and removing it is recorded", async () => {
  const id = await save();
  for (let n = 0; n < 2; n++) await change(id, { home: false });
  const entries = await db()
    .select({ action: auditEvents.action, changes: auditEvents.changes })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenant))
    .orderBy(auditEvents.seq);
  expect(entries).toEqual([
    {
      action: "view.created",
      changes: { page: { after: "metrics" }, shared: { after: false }, home: { after: true } },
    },
    { action: "view.updated", changes: { home: { before: true, after: false } } },
  ]);
});

test("a chart stores an empty grouping and a fixed range", () => {
  const address = new URLSearchParams("range=&from=a&to=b&group=&site=&tab=2");
  expect(keptQuery("metrics", address)).toBe("range=&from=a&to=b&group=");
  expect(keptQuery("users", new URLSearchParams("lock=&q=a"))).toBe("q=a");
});
