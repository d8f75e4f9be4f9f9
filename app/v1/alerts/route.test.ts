import { and, count, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { alertEntries, alerts } from "@/lib/database/schema/schema";
import { addEntry, lockAlert } from "@/lib/features/alerts/rows";
import { actionsOf, trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const minuteMs = 60_000;
const rule = { name: "Errors", measure: "error-rate", threshold: 0.05, window: "PT1H" };

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const create = async (body: object = rule) => {
    const answer = await send("POST /v1/alerts", { headers, body });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const trail = () => trailOf(tenant);
  const actions = () => actionsOf(tenant);
  return { tenant, headers, create, trail, actions };
}

test("201: a rule with its defaults, its short window and the state pending", async () => {
  const { headers, create, actions } = await world();
  const { body, headers: sent } = await create();
  expect(sent.get("location")).toBe(`/v1/alerts/${body.id}`);
  expect(body).toMatchObject({ ...rule, shortWindow: "PT5M", filter: {}, minimumCount: 1 });
  expect(body.state).toMatchObject({ status: "pending", checkedTo: null, value: null });
  expect((await send(`GET /v1/alerts/${body.id}`, { headers })).body).toEqual(body);
  expect(await actions()).toEqual(["alert.created"]);
});

test("400 for invalid rules", async () => {
  const { headers } = await world();
  const wrong: [object, string][] = [
    [{ ...rule, name: "" }, "/name"],
    [{ ...rule, measure: "mood" }, "/measure"],
    [{ ...rule, threshold: 1.1 }, "/threshold"],
    [{ ...rule, threshold: -1 }, "/threshold"],
    [{ ...rule, measure: "latency-p95", threshold: 70_000 }, "/threshold"],
    [{ ...rule, window: "PT4M" }, "/window"],
    [{ ...rule, window: "PT6H1M" }, "/window"],
    [{ ...rule, window: "PT5M30S" }, "/window"],
    [{ ...rule, minimumCount: -1 }, "/minimumCount"],
    [{ ...rule, filter: { site: "elsewhere" } }, "/filter/site"],
    [{ ...rule, filter: { endpoint: "" } }, "/filter/endpoint"],
    [{ ...rule, filter: { status: "500" } }, "/filter"],
  ];
  for (const operation of ["POST /v1/alerts", "POST /v1/alerts/test"])
    for (const [body, pointer] of wrong) {
      const isTrial = operation.endsWith("/test");
      const { name: _, ...unnamed } = body as typeof rule;
      if (isTrial && pointer === "/name") continue;
      const answer = await send(operation, { headers, body: isTrial ? unnamed : body });
      expect(answer.status, `${JSON.stringify(body)} ${answer.text}`).toBe(400);
      expect(answer.text).toContain(`"${pointer}`);
    }
});

test("200: a list in pages, newest first, and of one status", async () => {
  const { headers, create } = await world();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await create()).body.id);
  const first = await send("GET /v1/alerts?limit=2", { headers });
  const next = /<(.+)>/.exec(first.headers.get("link") ?? "")?.[1];
  const second = await send(`GET ${next}`, { headers });
  expect([...first.body, ...second.body].map(({ id }: { id: string }) => id)).toEqual(ids);
  expect((await send("GET /v1/alerts?status=firing", { headers })).body).toEqual([]);
  expect((await send("GET /v1/alerts?status=pending", { headers })).body.length).toBe(3);
});

test("200: the given fields are changed and recorded; 412 for an outdated ETag", async () => {
  const { headers, create, trail } = await world();
  const path = `/v1/alerts/${(await create()).body.id}`;
  const tag = (await send(`GET ${path}`, { headers })).headers.get("etag") ?? "";
  const conditional = { ...headers, "If-Match": tag };
  const body = { name: "Failures", window: "PT2H" };
  const changed = await send(`PATCH ${path}`, { headers: conditional, body });
  expect(changed.body).toMatchObject({ ...rule, ...body, shortWindow: "PT10M" });
  expect((await send(`PATCH ${path}`, { headers: conditional, body })).status).toBe(412);
  expect((await send(`DELETE ${path}`, { headers: conditional })).status).toBe(412);
  expect((await send(`PATCH ${path}`, { headers, body: { threshold: 2 } })).status).toBe(400);
  const entry = (await trail()).at(-1);
  expect(entry?.action).toBe("alert.updated");
  expect(entry?.changes).toEqual({
    name: { before: "Errors", after: "Failures" },
    windowMinutes: { before: 60, after: 120 },
  });
  const unchanged = (await trail()).length;
  await send(`PATCH ${path}`, { headers, body });
  expect((await trail()).length).toBe(unchanged);
  expect((await send(`DELETE ${path}`, { headers })).status).toBe(204);
  expect((await send(`GET ${path}`, { headers })).status).toBe(404);
  expect((await trail()).at(-1)?.action).toBe("alert.deleted");
});

test("304: the result of a check does not change the rule's ETag", async () => {
  const { headers, create } = await world();
  const path = `GET /v1/alerts/${(await create()).body.id}`;
  const tag = (await send(path, { headers })).headers.get("etag") ?? "";
  expect((await send(path, { headers: { ...headers, "If-None-Match": tag } })).status).toBe(304);
});

test("409: acknowledged while it is not firing", async () => {
  const { headers, create } = await world();
  const { id } = (await create()).body;
  const answer = await send(`POST /v1/alerts/${id}/acknowledge`, { headers });
  expect([answer.status, answer.body.code]).toEqual([409, "alert.not-firing"]);
});

test("200: muted until a time and unmuted again, each recorded once", async () => {
  const { headers, create, actions } = await world();
  const path = `/v1/alerts/${(await create()).body.id}`;
  const mute = (until: string | null) => send(`POST ${path}/mute`, { headers, body: { until } });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect((await mute(until)).body.mutedUntil).toBe(until);
  await mute(until);
  expect((await mute(null)).body.mutedUntil).toBeNull();
  await mute(null);
  expect(await actions()).toEqual(["alert.created", "alert.muted", "alert.unmuted"]);
  const history = (await send(`GET ${path}/history`, { headers })).body;
  expect(history).toMatchObject([
    { number: 2, kind: "unmuted" },
    { kind: "muted", until },
  ]);
});

test("400: muted until a time in the past, and for more than 30 days", async () => {
  const { headers, create } = await world();
  const { id } = (await create()).body;
  for (const ms of [-1000, 30 * 86_400_000 + minuteMs]) {
    const body = { until: new Date(Date.now() + ms).toISOString() };
    const answer = await send(`POST /v1/alerts/${id}/mute`, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"/until"');
  }
});

test("200: the history has the rule's newest 1,000 entries, in pages", async () => {
  const { tenant, headers, create } = await world();
  const { id: alertId } = (await create()).body;
  const key = { tenantId: tenant, alertId };
  const entry = { at: new Date(), kind: "muted" } as const;
  const first1000 = Array.from({ length: 1000 }, (_, index) => ({ number: index + 1 }));
  await db()
    .insert(alertEntries)
    .values(first1000.map((one) => ({ ...key, ...one, ...entry })));
  await db().update(alerts).set({ entries: 1000 }).where(eq(alerts.tenantId, tenant));
  await transaction(async (tx) => {
    const row = await lockAlert(tx, key);
    for (let n = 0; n < 2; n += 1) await addEntry(tx, row, entry);
  });
  const [kept] = await db()
    .select({ entries: count() })
    .from(alertEntries)
    .where(and(eq(alertEntries.tenantId, tenant), eq(alertEntries.alertId, alertId)));
  expect(kept?.entries).toBe(1000);
  const first = await send(`GET /v1/alerts/${alertId}/history?limit=2`, { headers });
  expect(first.body.map(({ number }: { number: number }) => number)).toEqual([1002, 1001]);
  const next = /<(.+)>/.exec(first.headers.get("link") ?? "")?.[1];
  const [third] = (await send(`GET ${next}`, { headers })).body;
  expect(third.number).toBe(1000);
});

test("429: a sandbox has at most 20", async () => {
  const { headers, create } = await world();
  for (let n = 0; n < 20; n += 1) await create();
  const answer = await send("POST /v1/alerts", { headers, body: rule });
  expect([answer.status, answer.body.code]).toEqual([429, "quota.exceeded"]);
});
