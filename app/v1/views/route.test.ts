import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { auditEvents, defaultViews, savedViews } from "@/lib/database/schema/schema";
import { findDefaultQuery } from "@/lib/features/views/service";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
type Headers = Record<string, string>;

const wanted = { page: "users", name: "Locked people", query: "lock=true&sort=-login" };
let tenant: string;
let jo: { userId: string; headers: Headers };
let max: { userId: string; headers: Headers };

async function person(...roleIds: string[]) {
  const { userId } = await makeUser(tenant, { roleIds });
  return { userId, headers: (await makeSession(tenant, userId)).headers };
}

beforeEach(async () => {
  tenant = await makeTenant();
  jo = await person("portal.users.mgmt");
  max = await person("portal.users.mgmt");
});

async function save(body: object = {}, { headers } = jo) {
  const answer = await send("POST /v1/views", { headers, body: { ...wanted, ...body } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { id: string; name: string };
}
const list = async ({ headers } = jo, query = "") =>
  (await send(`GET /v1/views${query}`, { headers })).body as { id: string; default: boolean }[];
const change = (id: string, body: object, { headers } = jo) =>
  send(`PATCH /v1/views/${id}`, { headers, body });
const remove = (id: string, { headers } = jo) => send(`DELETE /v1/views/${id}`, { headers });
const trail = () =>
  db()
    .select({
      action: auditEvents.action,
      target: auditEvents.target,
      changes: auditEvents.changes,
    })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenant))
    .orderBy(auditEvents.seq);
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [
  status,
  body.code,
];

test("201: a view is saved for its author only, and listed by page and name", async () => {
  const answer = await send("POST /v1/views", { headers: jo.headers, body: wanted });
  expect(answer.headers.get("location")).toBe(`/v1/views/${answer.body.id}`);
  const saved = { ...wanted, shared: false, default: false, userId: jo.userId };
  expect(answer.body).toMatchObject(saved);
  const first = await save({ name: "A first" });
  await save({ page: "keys", query: "show=idle" });
  const users = await list(jo, "?page=users");
  expect(users.map(({ id }) => id)).toEqual([first.id, answer.body.id]);
  expect(await list()).toHaveLength(3);
  expect(await list(max)).toEqual([]);
});

test("400 for a change to a query that its page cannot read; the view does not change", async () => {
  const { id } = await save({ page: "metrics", query: "range=7d&zone=Asia/Kolkata" });
  const answer = await change(id, { query: "range=7d&zone=Foo/Bar" });
  expect([answer.status, answer.body.reason]).toEqual([400, "/query"]);
  expect(answer.body.detail).toContain("zone");
  expect(await list()).toMatchObject([{ query: "range=7d&zone=Asia/Kolkata" }]);
});

test("200: a view stored before values were checked is returned with only what its page can read", async () => {
  const { id } = await save({ page: "metrics", query: "range=7d", default: true });
  const query = "from=garbage&to=2026&zone=Foo%2FBar&domain=%00&chart=bar";
  await db().update(savedViews).set({ query }).where(eq(savedViews.tenantId, tenant));
  expect(await list()).toMatchObject([{ id, query: "zone=UTC&chart=bar", default: true }]);
  const caller = { tenantId: tenant, userId: jo.userId, roles: { roleIds: [], sites: {} } };
  expect(await findDefaultQuery(caller as unknown as Caller, "metrics")).toBe("zone=UTC&chart=bar");
  const read = "q=a%20b";
  await db().update(savedViews).set({ query: read }).where(eq(savedViews.tenantId, tenant));
  expect(await list()).toMatchObject([{ query: read }]);
});

test("400 for an invalid name, page or query", async () => {
  const wrong: [object, string][] = [
    [{ name: " " }, "/name"],
    [{ name: "n".repeat(61) }, "/name"],
    [{ page: "home" }, "/page"],
    [{ query: "?lock=true" }, "/query"],
    [{ query: "q=a b" }, "/query"],
    [{ query: "cursor=x" }, "/query"],
    [{ query: "q=a&q=b" }, "/query"],
    [{ page: "customers", query: "q=ann" }, "/query"],
    [{ page: "metrics", query: "from=garbage&to=2026" }, "/query"],
    [{ page: "metrics", query: "zone=Foo/Bar" }, "/query"],
    [{ page: "audit", query: "from=2026-03-09&to=2026-03-02" }, "/query"],
    [{ query: "q=%00" }, "/query"],
    [{ query: "size=-1" }, "/query"],
    [{ query: `q=${"a".repeat(2047)}` }, "/query"],
  ];
  for (const [body, pointer] of wrong) {
    const answer = await send("POST /v1/views", {
      headers: jo.headers,
      body: { ...wanted, ...body },
    });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain(`"${pointer}"`);
  }
  const { id } = await save();
  const changed = await change(id, { query: "show=idle" });
  expect(changed.status).toBe(400);
  expect(changed.text).toContain('"/query"');
});

test("200: a shared view is visible only to users who may open its page", async () => {
  const { id } = await save({ shared: true });
  expect((await list(max)).map((one) => one.id)).toEqual([id]);
  const other = await person("portal.pim.mgmt");
  expect(await list(other)).toEqual([]);
  expect(codeOf(await change(id, { default: true }, other))).toEqual([404, "view.not-found"]);
});

test("403: a shared view is changed only by its author and a tenant.admin", async () => {
  const { id } = await save({ shared: true });
  for (const body of [{ name: "Mine" }, { shared: false }, { query: "" }])
    expect(codeOf(await change(id, body, max))).toEqual([403, "view.of-other"]);
  expect(codeOf(await remove(id, max))).toEqual([403, "view.of-other"]);
  const admin = await person("tenant.admin");
  expect((await change(id, { name: "Locked" }, admin)).body.name).toBe("Locked");
  expect((await change(id, { query: "lock=true" })).body.query).toBe("lock=true");
  expect((await remove(id, admin)).status).toBe(204);
  expect(await list()).toEqual([]);
});

test("404 for an unknown or foreign view, and another user's unshared one", async () => {
  const { id } = await save();
  for (const one of [id, "view_x"]) {
    expect(codeOf(await change(one, { name: "x" }, max))).toEqual([404, "view.not-found"]);
    expect(codeOf(await remove(one, max))).toEqual([404, "view.not-found"]);
  }
});

test("200: every user has one default view for a page, which may be a shared view", async () => {
  const { id: shared } = await save({ shared: true, default: true });
  const { id: own } = await save({}, max);
  const defaults = async (who: typeof jo) =>
    (await list(who)).filter((one) => one.default).map((one) => one.id);
  expect([await defaults(jo), await defaults(max)]).toEqual([[shared], []]);
  expect((await change(shared, { default: true }, max)).body.default).toBe(true);
  expect((await change(own, { default: true }, max)).body.default).toBe(true);
  expect([await defaults(jo), await defaults(max)]).toEqual([[shared], [own]]);
  await change(own, { default: false }, max);
  expect(await defaults(max)).toEqual([]);
  await change(shared, { default: true }, max);
  await change(shared, { shared: false });
  expect([await defaults(jo), await list(max)]).toEqual([[shared], [expect.anything()]]);
  await change(shared, { shared: true });
  expect(await defaults(max), "shared again, it is only seen").toEqual([]);
  await remove(shared);
  const left = await db().select().from(defaultViews).where(eq(defaultViews.tenantId, tenant));
  expect(left).toEqual([]);
});

test("each change is recorded without the name and the query", async () => {
  const { id } = await save({ query: "q=someone" });
  await change(id, { name: "Renamed", query: "q=nobody", shared: true, default: true });
  await change(id, { name: "Renamed" });
  await remove(id);
  const entries = await trail();
  expect(entries.map(({ action }) => action)).toEqual([
    "view.created",
    "view.updated",
    "view.deleted",
  ]);
  expect(entries[1]?.changes).toEqual({
    name: {},
    query: {},
    shared: { before: false, after: true },
    default: { after: true },
  });
  expect(JSON.stringify(entries)).not.toMatch(/someone|nobody|Renamed|Locked/);
});

test("409: a user has at most 50 views, and a tenant at most 100 shared ones", async () => {
  const now = new Date();
  const row = { tenantId: tenant, page: "users", name: "x", query: "", createdAt: now };
  const rows = (userId: string, isShared: boolean, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const viewId = `view_${userId}_${isShared}_${n}`;
      return { ...row, userId, isShared, updatedAt: now, viewId };
    });
  await db()
    .insert(savedViews)
    .values([...rows(jo.userId, false, 49), ...rows(max.userId, true, 99)]);
  const create = (body: object) =>
    send("POST /v1/views", { headers: jo.headers, body: { ...wanted, ...body } });
  const last = await create({});
  expect(last.status).toBe(201);
  expect(codeOf(await create({}))).toEqual([409, "view.limit-reached"]);
  expect((await create({ shared: true })).status).toBe(201);
  const surplus = await create({ shared: true });
  expect([...codeOf(surplus), surplus.body.reason]).toEqual([409, "view.limit-reached", "shared"]);
  expect(codeOf(await change(last.body.id, { shared: true }))).toEqual([409, "view.limit-reached"]);
  expect(await list()).toHaveLength(150);
});

test("401 and 403: views are for users in a session with a role", async () => {
  const anonymous = { "X-Service-Tenant": tenant };
  expect((await send("GET /v1/views", { headers: anonymous })).status).toBe(401);
  const { headers } = await makeApiKey(tenant, jo.userId);
  expect((await send("GET /v1/views", { headers })).status).toBe(401);
  expect((await send("GET /v1/views", { headers: (await person()).headers })).status).toBe(403);
});
