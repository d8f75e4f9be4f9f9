import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { connect, type NetConnectOpts } from "node:net";
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "@/lib/database/ids";
import { db, transaction } from "@/lib/database/open";
import { webhookDeliveries, webhooks } from "@/lib/database/schema/schema";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { streamDestinations } from "@/lib/features/destinations/audit-streams/deliver";
import { retryDelayMs } from "@/lib/features/events/delivery/attempt";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import type { DestinationKind } from "@/lib/features/events/delivery/lease";
import { send } from "@/lib/features/events/delivery/send";
import { makeTenant } from "@/lib/setup/testing/factories";
import { webhookDestinations } from "./deliver";
import { recordDeliveries } from "./delivery-rows";
import { byId, insertWebhook, newSecret, sealed } from "./rows";
import { openReceiver, type Receiver } from "./testing/receiver";

const waits = { timeout: 100_000, interval: 50 };
const closing: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.unstubAllEnvs();
});

async function receiver(...reply: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...reply);
  closing.push(opened.close);
  return opened;
}

function deliverBy(kind: DestinationKind): void {
  closing.unshift(startDelivering([kind]));
}

async function world() {
  const tenant = await makeTenant();
  const add = (url: string, leaseHolder: string | null = null) =>
    transaction(async (tx) => {
      const webhookId = newId("wh");
      const secret = sealed(newSecret(), webhookId);
      const row = { tenantId: tenant, webhookId, url, types: ["user.*"], description: "", secret };
      await insertWebhook(tx, { ...row, leaseHolder, createdAt: new Date() });
      return webhookId;
    });
  const happen = (id: string) =>
    transaction((tx) =>
      record(tx, actingAsSystem(tenant, "test"), {
        action: "user.updated",
        target: { type: "user", id, name: "Ada Example" },
        changes: {},
      }),
    );
  const rows = (webhookId: string) =>
    db()
      .select()
      .from(webhookDeliveries)
      .where(
        and(eq(webhookDeliveries.tenantId, tenant), eq(webhookDeliveries.webhookId, webhookId)),
      );
  const webhook = async (webhookId: string) =>
    (await db().select().from(webhooks).where(byId(tenant, webhookId)))[0];
  return { tenant, add, happen, rows, webhook };
}

describe("an emoji across the end of the stored part of a response", () => {
  // Around the limit of displayed characters, and of bytes read.
  test.each([1022, 1023, 1024, 4093, 4094, 4095, 4096])(
    "each event is delivered once, after %i characters",
    async (length) => {
      const { add, happen, rows } = await world();
      const text = `${"x".repeat(length)}😀 and more`;
      const one = await receiver((response) => response.writeHead(200).end(text));
      const id = await add(one.url);
      deliverBy(webhookDestinations);
      for (const subject of ["a", "b", "c"]) await happen(subject);
      await vi.waitFor(async () => expect(await rows(id)).toHaveLength(3), waits);
      const delivered = await rows(id);
      expect(delivered.map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
      for (const { log } of delivered)
        expect(log[0]?.response).toBe(text.slice(0, 1024).replace(/[\ud800-\udbff]$/, ""));
      const ids = one.received.map(({ body }) => body.id);
      expect(ids).toHaveLength(new Set(ids).size);
    },
  );

  test("a text that the store still rejects is dropped, and the outcome of the event is kept", async () => {
    const { tenant, add, rows } = await world();
    const webhookId = await add("http://127.0.0.1:9/", "me");
    const attempt = {
      at: new Date().toISOString(),
      durationMs: 1,
      status: 200,
      response: "\ud83d",
    };
    const delivery = {
      ...{ eventId: `evt_${randomUUID()}`, type: "gatehouse.user.updated", subject: "user/a" },
      ...({ auditSeq: 1, eventSeq: 0, body: "{}", state: "delivered", dueAt: null } as const),
      ...{ attempts: 1, log: [attempt] },
    };
    const progress = { auditSeq: 1, eventSeq: 0, failingSince: null, failures: 0 };
    const lease = { tenantId: tenant, destinationId: webhookId, holder: "me" };
    expect(await recordDeliveries(lease, progress, [delivery])).toBe(true);
    const { response: _, ...kept } = attempt;
    expect((await rows(webhookId)).map(({ log }) => log)).toEqual([[kept]]);
  });
});

describe("a response whose body does not end", () => {
  const message = { method: "POST", headers: {}, body: "{}" } as const;

  test("keeps its status and reports the missing end", async () => {
    const one = await receiver((response) => void response.writeHead(200).write("begun"));
    const stop = new AbortController();
    const agent = new Agent();
    // Times out after the first part was read.
    agent.createConnection = (options, connected) => {
      const socket = connect(options as NetConnectOpts, () => connected?.(null, socket));
      socket.on("data", (part: Buffer) => {
        if (part.includes("begun")) setImmediate(() => stop.abort());
      });
      return socket;
    };
    const sent = send({ url: one.url, agent, signal: stop.signal }, message);
    expect(await sent).toMatchObject({
      ...{ status: 200, response: "begun", isDelivered: false },
      problem: "The body did not end within 10 s.",
    });
  });

  test("that breaks off keeps its status, too", async () => {
    const one = await receiver((response) => {
      response.writeHead(500, { "content-length": "100" });
      response.write("begun", () => response.destroy());
    });
    expect(await send({ url: one.url }, message)).toMatchObject({
      ...{ status: 500, problem: "The response is 500.", isDelivered: false },
    });
    one.reply((response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("begun", () => response.destroy());
    });
    expect(await send({ url: one.url }, message)).toMatchObject({
      ...{ status: 200, problem: "The connection ended before the body did." },
    });
  });
});

describe("a delivery whose outcome cannot be recorded", () => {
  test("is tried again after the delays of failed attempts, by every kind of destination", () => {
    for (const { interruptedMs } of [webhookDestinations, streamDestinations])
      expect(interruptedMs).toBe(retryDelayMs);
  });

  test("waits longer each time, starts over after a success, and keeps its lease", async () => {
    const { add, happen, webhook } = await world();
    const id = await add("http://127.0.0.1:9/");
    await happen("a");
    const asked: number[] = [];
    let outcomes = ["fails", "fails", "fails", "works", "fails", "rests"];
    deliverBy({
      ...webhookDestinations,
      interruptedMs: (times) => {
        asked.push(times);
        return outcomes.length === 0 ? 600_000 : 10;
      },
      deliver: async () => {
        const [outcome = "again", ...rest] = outcomes;
        outcomes = rest;
        if (outcome !== "works") throw new Error("cannot be recorded");
      },
    });
    await vi.waitFor(() => expect(asked).toEqual([1, 2, 3, 1, 2]), waits);
    const before = await webhook(id);
    await vi.waitFor(
      async () => expect((await webhook(id))?.leaseBeat).toBeGreaterThan(before?.leaseBeat ?? 0),
      waits,
    );
    expect((await webhook(id))?.leaseHolder).toBe(before?.leaseHolder);
    expect(asked).toHaveLength(5);
  });
});
