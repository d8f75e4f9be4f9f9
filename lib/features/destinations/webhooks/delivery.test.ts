import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newId } from "@/lib/database/ids";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { webhookDeliveries, webhooks } from "@/lib/database/schema/schema";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import { makeTenant } from "@/lib/setup/testing/factories";
import { webhookDestinations } from "./deliver";
import { byId, insertWebhook, newSecret, sealed } from "./rows";
import { openReceiver, type Receiver, status } from "./testing/receiver";

const waits = { timeout: 100_000, interval: 50 };
let closing: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
  vi.unstubAllEnvs();
});

async function receiver(...reply: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...reply);
  closing.push(opened.close);
  return opened;
}

/** A separate engine, as in another process. */
function engine(): () => Promise<void> {
  const stop = startDelivering([webhookDestinations]);
  closing.unshift(stop);
  return stop;
}

async function world() {
  const tenant = await makeTenant();
  const add = (url: string, types = ["user.*"]) =>
    transaction(async (tx) => {
      const webhookId = newId("wh");
      const secret = sealed(newSecret(), webhookId);
      const row = { tenantId: tenant, webhookId, url, types, description: "", secret };
      return (await insertWebhook(tx, { ...row, createdAt: new Date() })).webhookId;
    });
  const happenIn = (tx: Transaction, id: string, n: number) =>
    record(tx, actingAsSystem(tenant, "test"), {
      action: "user.updated",
      target: { type: "user", id, name: "Ada Example" },
      changes: { [`field${n}`]: { after: "a value" } },
    });
  const happen = (id: string, n: number) => transaction((tx) => happenIn(tx, id, n));
  const happenTogether = (ids: string[], n: number) =>
    transaction(async (tx) => {
      for (const id of ids) await happenIn(tx, id, n);
    });
  const states = async (webhookId: string) =>
    db()
      .select()
      .from(webhookDeliveries)
      .where(
        and(eq(webhookDeliveries.tenantId, tenant), eq(webhookDeliveries.webhookId, webhookId)),
      );
  const webhook = async (webhookId: string) =>
    (await db().select().from(webhooks).where(byId(tenant, webhookId)))[0];
  return { tenant, add, happen, happenTogether, states, webhook };
}

const fieldOf = (body: { data: { changes: object } }) =>
  Number((Object.keys(body.data.changes)[0] ?? "").replace("field", ""));

/** The events of each subject, in the order of their first delivery. */
function firstSeen({ received }: Receiver): Map<string, number[]> {
  const seen = new Set<string>();
  const bySubject = new Map<string, number[]>();
  for (const { headers, body } of received) {
    expect(headers["webhook-id"]).toBe(body.id);
    if (seen.has(body.id)) continue;
    seen.add(body.id);
    bySubject.set(body.subject, [...(bySubject.get(body.subject) ?? []), fieldOf(body)]);
  }
  return bySubject;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test("each event is delivered once, in order per subject, without values, and is logged", async () => {
  const { add, happen, states } = await world();
  const one = await receiver();
  const id = await add(one.url);
  engine();
  for (const n of numbers(10)) for (const subject of ["a", "b"]) await happen(subject, n);
  await vi.waitFor(() => expect(one.received).toHaveLength(20), waits);
  for (const [, seen] of firstSeen(one)) expect(seen).toEqual(numbers(10));
  expect(one.received.map(({ text }) => text).join()).not.toContain("a value");
  expect(one.received.map(({ text }) => text).join()).not.toContain("Ada");
  await vi.waitFor(async () => {
    const rows = await states(id);
    expect(rows.map(({ state }) => state)).toEqual(rows.map(() => "delivered"));
    expect(rows).toHaveLength(20);
  }, waits);
});

test("silent or failing endpoints do not delay others, and an engine that restarts delivers all at least once in order", async () => {
  const { add, happen, webhook } = await world();
  const healthy = await Promise.all([receiver(), receiver(), receiver()]);
  const silent = await receiver(() => undefined);
  const failing = await receiver(status(500));
  for (const { url } of healthy) await add(url);
  const ids = [await add(silent.url), await add(failing.url)];
  let stop = engine();
  for (const n of numbers(30)) {
    for (const subject of ["a", "b", "c"]) await happen(subject, n);
    if (n % 10 !== 9) continue;
    await stop();
    stop = engine();
  }
  for (const one of healthy) {
    await vi.waitFor(() => {
      const seen = firstSeen(one);
      expect([...seen.values()].flat()).toHaveLength(90);
      for (const [, of] of seen) expect(of).toEqual(numbers(30));
    }, waits);
  }
  for (const id of ids)
    await vi.waitFor(async () => expect((await webhook(id))?.failures).toBeGreaterThan(0), waits);
  // A dead endpoint gets only occasional requests.
  expect(failing.received.length).toBeLessThan(60);
});

test("a rejected subject waits in order and does not delay others; once accepted, the rest follows with the same ids", async () => {
  const { add, happen, states } = await world();
  let isBroken = true;
  const one = await receiver((response, { body }) => {
    response.writeHead(isBroken && body.subject === "user/bad" ? 500 : 204).end();
  });
  const id = await add(one.url);
  engine();
  for (const n of numbers(5)) for (const subject of ["good", "bad"]) await happen(subject, n);
  await vi.waitFor(() => expect(firstSeen(one).get("user/good")).toEqual(numbers(5)), waits);
  expect(firstSeen(one).get("user/bad")).toEqual([0]);
  isBroken = false;
  await vi.waitFor(() => expect(firstSeen(one).get("user/bad")).toEqual(numbers(5)), waits);
  await vi.waitFor(async () => {
    const rows = await states(id);
    expect(rows.filter(({ state }) => state !== "delivered")).toEqual([]);
  }, waits);
  const retried = (await states(id)).find(({ log }) => log.length > 1);
  const statuses = retried?.log.map((attempt) => attempt.status) ?? [];
  // On a slow machine it is rejected more than once.
  expect([statuses.at(-1), new Set(statuses.slice(0, -1))]).toEqual([204, new Set([500])]);
});

test("an event created while a late response to an earlier one arrives is delivered, too", async () => {
  const { add, happenTogether, states } = await world();
  const held = new Map<string, () => void>();
  const released = new Set<string>();
  const one = await receiver((response, { body }) => {
    const name = `${body.subject} ${fieldOf(body)}`;
    const accept = () => void response.writeHead(204).end();
    const isHeld = name === "user/slow 0" || name === "user/other 1";
    if (isHeld && !released.has(name)) held.set(name, accept);
    else accept();
  });
  // Later attempts are released too: on a slow machine the first one may time out.
  const release = (name: string) => {
    released.add(name);
    held.get(name)?.();
  };
  const id = await add(one.url);
  await happenTogether(["slow", "other"], 0);
  engine();
  const stateOf = async () => (await states(id)).find(({ subject }) => subject === "user/slow");
  await vi.waitFor(async () => expect((await stateOf())?.state).toBe("pending"), waits);
  // Both are in one page: the first waits for the late response, while the second is being sent.
  await happenTogether(["slow", "other"], 1);
  await vi.waitFor(() => expect(held.has("user/other 1")).toBe(true), waits);
  release("user/slow 0");
  // Leaves time to settle the late one before the page is stored, which must not happen.
  const isSettled = async () => expect((await stateOf())?.state).toBe("delivered");
  await vi.waitFor(isSettled, { timeout: 2000 }).catch(() => undefined);
  release("user/other 1");
  await vi.waitFor(() => expect(firstSeen(one).get("user/slow")).toEqual([0, 1]), waits);
});

test("two engines share the endpoints: while both run, no event is delivered twice", async () => {
  const { add, happen } = await world();
  const all = await Promise.all([receiver(), receiver(), receiver(), receiver()]);
  for (const { url } of all) await add(url);
  engine();
  engine();
  for (const n of numbers(20)) for (const subject of ["a", "b"]) await happen(subject, n);
  for (const one of all) {
    await vi.waitFor(() => expect(one.received.length).toBeGreaterThanOrEqual(40), waits);
    expect(one.received).toHaveLength(40);
  }
});

test("an endpoint that returns 410 is disabled, and the trail records it", async () => {
  const { add, happen, webhook } = await world();
  const gone = await receiver(status(410));
  const id = await add(gone.url);
  engine();
  await happen("a", 0);
  await vi.waitFor(async () => expect((await webhook(id))?.disabledReason).toBe("gone"), waits);
  await happen("a", 1);
  expect(gone.received).toHaveLength(1);
});

test("an endpoint that has failed for three days is disabled", async () => {
  const { tenant, add, happen, webhook } = await world();
  const failing = await receiver(status(503));
  const id = await add(failing.url);
  const failingSince = new Date(Date.now() - 3 * 86_400_000 - 1000);
  await db()
    .update(webhooks)
    .set({ failingSince, failures: 12, dueAt: new Date() })
    .where(eq(webhooks.tenantId, tenant));
  engine();
  await happen("a", 0);
  await vi.waitFor(async () => expect((await webhook(id))?.disabledReason).toBe("failing"), waits);
});

test("the lease of a crashed process is taken over", async () => {
  const { tenant, add, happen } = await world();
  const one = await receiver();
  await add(one.url);
  await db().update(webhooks).set({ leaseHolder: "killed" }).where(eq(webhooks.tenantId, tenant));
  engine();
  await happen("a", 0);
  await vi.waitFor(() => expect(one.received).toHaveLength(1), waits);
});
