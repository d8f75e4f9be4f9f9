import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { alertEntries, alerts } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { minuteMs } from "@/lib/features/metrics/grains";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { checkDueAlerts } from "./check";
import { saveOutcome } from "./due-rows";
import { getAlertRow } from "./rows";
import { writeCalls } from "./testing/calls";

const send = testServer();
const epoch = new Date(0);
const rates = { name: "Errors", measure: "error-rate", threshold: 0.05, window: "PT1H" };

/** A tenant with one rule, and the minute three hours ago at which its calls start. */
async function world(rule: object = rates) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const base = Math.floor(Date.now() / minuteMs) * minuteMs - 180 * minuteMs;
  const made = await send("POST /v1/alerts", { headers, body: rule });
  expect(made.status, made.text).toBe(201);
  const id: string = made.body.id;
  const ofAlert = and(eq(alerts.tenantId, tenant), eq(alerts.alertId, id));
  const call = async (verb: string, body?: object) => {
    const given = body ? { body } : {};
    const answer = await send(`POST /v1/alerts/${id}/${verb}`, { headers, ...given });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return {
    ...{ tenant, headers, id, userId, call },
    write: (calls: Parameters<typeof writeCalls>[2]) => writeCalls(tenant, base, calls),
    /** Runs the check as of this many minutes after `base`. */
    async checkAt(minute: number) {
      await db().update(alerts).set({ dueAt: epoch }).where(ofAlert);
      const now = new Date(base + minute * minuteMs + 15_000);
      await checkDueAlerts(tenant, { now });
      return (await send(`GET /v1/alerts/${id}`, { headers })).body.state;
    },
    at: (minute: number) => new Date(base + minute * minuteMs).toISOString(),
    row: () => getAlertRow({ tenantId: tenant, alertId: id }),
    async history() {
      const ofHistory = and(eq(alertEntries.tenantId, tenant), eq(alertEntries.alertId, id));
      const rows = await db().select().from(alertEntries).where(ofHistory);
      return rows.toSorted((a, b) => a.number - b.number).map(({ kind }) => kind);
    },
    async events() {
      const rows = await trailOf(tenant);
      return rows.filter(({ action }) => /^alert\.(fired|resolved)$/.test(action));
    },
  };
}

/** An hour of good calls, then twenty minutes in which half of them fail, then good ones. */
async function withIncident(rule: object = rates) {
  const made = await world(rule);
  await made.write({ from: 0, to: 60, count: 10 });
  await made.write({ from: 60, to: 80, count: 5 });
  await made.write({ from: 60, to: 80, count: 5, status: 500 });
  await made.write({ from: 80, to: 120, count: 10 });
  return made;
}

test("a rule fires once both windows exceed the threshold, and resolves once the short one does not", async () => {
  const { checkAt, at, history, events } = await withIncident();
  expect(await checkAt(60)).toMatchObject({ status: "ok", value: 0, calls: 600 });
  expect((await checkAt(66)).status).toBe("ok");
  const firing = { status: "firing", since: at(67), checkedTo: at(67), calls: 600 };
  expect(await checkAt(67)).toMatchObject({ ...firing, shortValue: 0.5 });
  expect((await checkAt(84)).status).toBe("firing");
  expect(await checkAt(85)).toMatchObject({ status: "ok", shortValue: 0, since: at(85) });
  expect(await history()).toEqual(["fired", "resolved"]);
  const [fired, resolved] = await events();
  expect(fired).toMatchObject({ action: "alert.fired", changes: { threshold: { after: 0.05 } } });
  expect(fired?.changes.value?.after).toBeCloseTo(35 / 600);
  expect(resolved?.changes).toMatchObject({ reason: { after: "recovered" } });
});

test("the event has its measured values for every reader of events", async () => {
  const { tenant, checkAt } = await withIncident();
  await checkAt(70);
  const { userId } = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  const { headers } = await makeSession(tenant, userId);
  const [event] = (await send("GET /v1/events?type=alert.fired", { headers })).body;
  const { measure, calls } = event.data.changes;
  expect([measure, calls]).toEqual([{ after: "error-rate" }, { after: 600 }]);
  expect(event.data.target.name).toBeUndefined();
});

test("an event about a site's rule names the site", async () => {
  const { headers, checkAt, write } = await world({ ...rates, filter: { site: "one" } });
  await write({ from: 0, to: 60, count: 10, status: 500, site: "one" });
  await write({ from: 0, to: 60, count: 1000, site: "two" });
  expect(await checkAt(60)).toMatchObject({ status: "firing", value: 1, calls: 600 });
  const events = async (site: string) =>
    (await send(`GET /v1/events?type=alert.fired&site=${site}`, { headers })).body;
  expect((await events("one")).length).toBe(1);
  expect(await events("two")).toEqual([]);
});

test("two processes with the same outcome write one firing", async () => {
  const { row, checkAt, history, events, at } = await withIncident();
  await checkAt(60);
  const seen = await row();
  const outcome = { status: "firing", reading: seen.reading, checkedTo: new Date(at(67)) } as const;
  const both = [saveOutcome(seen, outcome, new Date()), saveOutcome(seen, outcome, new Date())];
  await Promise.all(both);
  expect(await history()).toEqual(["fired"]);
  expect((await events()).length).toBe(1);
});

test("an outdated outcome overwrites neither a later one nor a changed rule", async () => {
  const { row, checkAt, history, at, headers, id } = await withIncident();
  const before = await row();
  await checkAt(60);
  const outcome = { status: "firing", reading: before.reading } as const;
  await saveOutcome(before, { ...outcome, checkedTo: new Date(at(59)) }, new Date());
  const seen = await row();
  await send(`PATCH /v1/alerts/${id}`, { headers, body: { threshold: 0.9 } });
  await saveOutcome(seen, { ...outcome, checkedTo: new Date(at(67)) }, new Date());
  expect((await row()).status).toBe("pending");
  expect(await history()).toEqual(["changed"]);
});

test("two processes that poll at the same time check a rule once", async () => {
  const { tenant, checkAt, row } = await withIncident();
  await checkAt(60);
  const [first, second] = [await row(), await row()];
  expect(first.dueAt).toEqual(second.dueAt);
  const now = new Date(first.dueAt.getTime() + minuteMs);
  await Promise.all([checkDueAlerts(tenant, { now }), checkDueAlerts(tenant, { now })]);
  expect((await row()).revision).toBe(first.revision);
  expect((await row()).checkedTo?.getTime()).toBe(first.dueAt.getTime() + minuteMs - 10_000);
});

test("a muted rule keeps its history and sends no event; the event is sent once the mute ends", async () => {
  const { call, checkAt, history, events } = await withIncident();
  await call("mute", { until: new Date(Date.now() + 3_600_000).toISOString() });
  await checkAt(70);
  expect(await history()).toEqual(["muted", "fired"]);
  expect(await events()).toEqual([]);
  await call("mute", { until: null });
  await checkAt(71);
  await checkAt(72);
  expect(await history()).toEqual(["muted", "fired", "unmuted"]);
  expect((await events()).map(({ action }) => action)).toEqual(["alert.fired"]);
});

test("a muted alert sends nothing; an alert that was announced also announces its end", async () => {
  const [one, other] = [await withIncident(), await withIncident()];
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await one.call("mute", { until });
  await one.checkAt(70);
  await one.checkAt(85);
  expect(await one.events()).toEqual([]);
  await other.checkAt(70);
  await other.call("mute", { until });
  await other.checkAt(85);
  const actions = (await other.events()).map(({ action }) => action);
  expect(actions).toEqual(["alert.fired", "alert.resolved"]);
});

test("an acknowledgement applies to the current firing only", async () => {
  const { call, checkAt, userId, history } = await withIncident();
  await checkAt(70);
  const { state } = await call("acknowledge");
  expect(state).toMatchObject({ status: "firing", acknowledgedBy: userId });
  await call("acknowledge");
  expect(await history()).toEqual(["fired", "acknowledged"]);
  expect((await checkAt(71)).acknowledgedBy).toBe(userId);
  expect(await checkAt(85)).toMatchObject({ acknowledgedBy: null, acknowledgedAt: null });
});

test("counts that arrive late are in the next check, and the unfinished minute is in none", async () => {
  const { checkAt, write, at } = await world({ ...rates, window: "PT5M" });
  await write({ from: 0, to: 10, count: 10 });
  await write({ from: 10, to: 11, count: 100, status: 500 });
  expect(await checkAt(10)).toMatchObject({ status: "ok", checkedTo: at(10), calls: 50 });
  await write({ from: 8, to: 10, count: 50, status: 500 });
  expect((await checkAt(10)).status).toBe("ok");
  expect(await checkAt(11)).toMatchObject({ status: "firing", checkedTo: at(11) });
});

test("latency is measured over all calls of the window", async () => {
  const rule = { name: "Slow", measure: "latency-p95", threshold: 500, window: "PT10M" };
  const { checkAt, write } = await world(rule);
  await write({ from: 0, to: 20, count: 90, ms: 20 });
  await write({ from: 10, to: 20, count: 10, ms: 1000 });
  expect((await checkAt(10)).value).toBeLessThan(30);
  const { status, value } = await checkAt(20);
  expect(status).toBe("firing");
  expect(value).toBeGreaterThan(900);
});

test("silence fires after a window without calls, and resolves when calls arrive", async () => {
  const rule = { name: "Silent", measure: "silence", threshold: 0, window: "PT10M" };
  const { checkAt, write } = await world(rule);
  expect((await checkAt(0)).status).toBe("no-data");
  await write({ from: 0, to: 20, count: 3 });
  expect((await checkAt(29)).status).toBe("ok");
  expect(await checkAt(30)).toMatchObject({ status: "firing", value: 0, calls: 0 });
  await write({ from: 40, to: 42, count: 3 });
  expect((await checkAt(41)).status).toBe("ok");
});

test("a firing rule that is changed is resolved and starts again", async () => {
  const { checkAt, headers, id, history, events } = await withIncident();
  await checkAt(70);
  const changed = await send(`PATCH /v1/alerts/${id}`, { headers, body: { threshold: 0.2 } });
  expect(changed.body.state).toMatchObject({ status: "pending", value: null });
  expect(await history()).toEqual(["fired", "resolved", "changed"]);
  const [, resolved] = await events();
  expect(resolved?.changes).toMatchObject({ reason: { after: "changed" } });
});
