import { and, eq, lte } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import { streamDestinations } from "./deliver";
import { nextBatch } from "./stream";
import { testCertificate as ca } from "./testing/certificate";
import {
  entriesOf,
  type HttpsReceiver,
  numbersOf,
  openHttps,
  openStorage,
  openSyslog,
} from "./testing/receivers";
import { makeStreamWorld, storageSecret } from "./testing/world";
import { sendBatch } from "./transport";

const waits = { timeout: 100_000, interval: 50 };
let closing: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  vi.unstubAllEnvs();
});

function closeLater<T extends { close: () => Promise<unknown> }>(opened: T): T {
  closing.push(opened.close);
  return opened;
}

const receiver = async (...given: Parameters<typeof openHttps>): Promise<HttpsReceiver> =>
  closeLater(await openHttps(...given));

/** A separate engine, as in another process. */
function engine(): () => Promise<void> {
  const stop = startDelivering([streamDestinations]);
  closing.unshift(stop);
  return stop;
}

const numbers = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);
const https = ({ url }: { url: string }) => ({ kind: "https", url, ca }) as const;

test("every entry is delivered once, in the order of the chain and the format of the export", async () => {
  const { tenant, add, happen, stream, entries } = await makeStreamWorld();
  await happen(3);
  const one = await receiver();
  const id = await add(https(one));
  engine();
  await happen(20);
  await vi.waitFor(() => expect(numbersOf(one.received)).toEqual(numbers(23)), waits);
  const sent = one.received.flatMap(({ text }) => entriesOf(text));
  expect(sent.map((entry) => entry.id)).toEqual((await entries()).map(({ auditId }) => auditId));
  expect(sent[0]).toMatchObject({
    action: "user.updated",
    target: { name: "Ada Example" },
    chain: { tenant, seq: 1, hash: expect.any(String), mac: expect.any(String) },
  });
  await vi.waitFor(async () => {
    const { auditSeq, log, failures } = await stream(id);
    expect([auditSeq, failures]).toEqual([23, 0]);
    expect(log.map((attempt) => attempt.status)).toEqual(log.map(() => 204));
    expect(log.at(-1)?.last).toBe(23);
  }, waits);
});

test("a failing or silent receiver does not delay others, and gets all entries in order once it accepts them", async () => {
  const { add, happen, set, stream } = await makeStreamWorld();
  const [healthy, silent] = [await receiver(), await receiver(() => null)];
  const failing = await receiver(() => 500);
  await add(https(healthy));
  await add(https(silent));
  const id = await add(https(failing));
  engine();
  await happen(10);
  await vi.waitFor(() => expect(numbersOf(healthy.received)).toEqual(numbers(10)), waits);
  await vi.waitFor(async () => expect((await stream(id)).failures).toBeGreaterThan(0), waits);
  const { log, dueAt, failingSince, auditSeq } = await stream(id);
  expect([log[0]?.status, auditSeq, failingSince instanceof Date]).toEqual([500, 0, true]);
  expect(dueAt?.getTime()).toBeGreaterThan(Date.now());
  failing.received.length = 0;
  failing.answer(() => 204);
  await set(id, { dueAt: new Date() });
  await vi.waitFor(() => expect(numbersOf(failing.received)).toEqual(numbers(10)), waits);
});

test("a stream that was changed during a failing attempt is retried at once, not after hours", async () => {
  const { add, happen, set, stream } = await makeStreamWorld();
  await happen(2);
  const one = await receiver();
  const failingSince = new Date(Date.now() - 86_400_000);
  const id = await add(https(one), { failingSince, failures: 12, dueAt: new Date() });
  one.answer(async () => {
    one.answer(() => 204);
    await set(id, { dueAt: new Date() });
    return 500;
  });
  engine();
  await vi.waitFor(async () => expect((await stream(id)).auditSeq).toBe(2), waits);
  expect((await stream(id)).log.map((attempt) => attempt.status)).toEqual([500, 204]);
});

test("after a process is killed before it stores the outcome, the next one sends the same entries again and continues", async () => {
  const { tenant, add, happen, set, stream } = await makeStreamWorld();
  await happen(5);
  const one = await receiver();
  const id = await add(https(one));
  const batch = await nextBatch(tenant, 0);
  if (!batch) throw new Error("There is nothing to send.");
  expect((await sendBatch(await stream(id), batch)).isDelivered).toBe(true);
  await set(id, { leaseHolder: "killed" });
  await happen(2);
  engine();
  await vi.waitFor(
    () => expect(numbersOf(one.received)).toEqual([...numbers(5), ...numbers(7)]),
    waits,
  );
  await vi.waitFor(async () => expect((await stream(id)).auditSeq).toBe(7), waits);
});

test("with two engines that stop and start, no entry is missing or delivered twice while they run", async () => {
  const { add, happen } = await makeStreamWorld();
  const all = [await receiver(), await receiver(), await receiver()];
  for (const one of all) await add(https(one));
  engine();
  let stop = engine();
  for (let round = 0; round < 3; round += 1) {
    await happen(10);
    await stop();
    stop = engine();
  }
  for (const one of all)
    await vi.waitFor(() => expect(numbersOf(one.received)).toEqual(numbers(30)), waits);
});

test("entries deleted before delivery are reported in the state and in the trail, and delivery continues", async () => {
  const { tenant, add, happen, stream, entries } = await makeStreamWorld();
  await happen(6);
  await db()
    .delete(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenant), lte(auditEvents.seq, 4)));
  const one = await receiver();
  const id = await add(https(one), { auditSeq: 1 });
  engine();
  await vi.waitFor(() => expect(numbersOf(one.received)).toEqual([5, 6, 7]), waits);
  expect((await stream(id)).gap).toMatchObject({ first: 2, last: 4 });
  expect((await entries()).at(-1)).toMatchObject({
    action: "audit-stream.entries-missed",
    changes: { first: { after: 2 }, last: { after: 4 } },
  });
});

test("a trail whose entries were all deleted is reported as missed", async () => {
  const { tenant, add, happen, stream } = await makeStreamWorld();
  await happen(3);
  await db().delete(auditEvents).where(eq(auditEvents.tenantId, tenant));
  const one = await receiver();
  const id = await add(https(one));
  engine();
  await vi.waitFor(() => expect(numbersOf(one.received)).toEqual([4]), waits);
  expect((await stream(id)).gap).toMatchObject({ first: 1, last: 3 });
});

test("a receiver that returns 410 or has failed for three days is disabled, with the reason in the trail", async () => {
  const { add, happen, stream, entries } = await makeStreamWorld();
  await happen(1);
  const [gone, failing] = [await receiver(() => 410), await receiver(() => 503)];
  const failingSince = new Date(Date.now() - 3 * 86_400_000 - 1000);
  const ids = [
    await add(https(gone)),
    await add(https(failing), { failingSince, failures: 12, dueAt: new Date() }),
  ];
  engine();
  const reasons = async () => Promise.all(ids.map(async (id) => (await stream(id)).disabledReason));
  await vi.waitFor(async () => expect(await reasons()).toEqual(["gone", "failing"]), waits);
  const disabled = (await entries()).filter(({ action }) => action === "audit-stream.disabled");
  expect(disabled.map(({ changes }) => changes.reason?.after).toSorted()).toEqual([
    "failing",
    "gone",
  ]);
});

test("storage gets signed objects, named by their first entry, with the entries of an interval", async () => {
  const { tenant, add, happen, stream } = await makeStreamWorld();
  const storage = closeLater(await openStorage(storageSecret));
  const place = { region: "eu-central-1", bucket: "trail", prefix: "gate-house/" };
  const settings = { kind: "s3", url: storage.url, ca, accessKeyId: "AK1", ...place } as const;
  const id = await add({ ...settings, every: 2 });
  engine();
  const startedAt = performance.now();
  for (let n = 0; n < 4; n += 1) await happen(2);
  const whiles = Math.ceil((performance.now() - startedAt) / 2000);
  await vi.waitFor(async () => expect((await stream(id)).auditSeq).toBe(8), waits);
  const [[path, text] = ["", ""]] = storage.objects;
  const day = entriesOf(text)[0]?.occurredAt.slice(0, 10).replaceAll("-", "/");
  expect(path).toBe(`/trail/gate-house/${tenant}/${id}/${day}/000000000000001.ndjson`);
  expect(entriesOf(text).length).toBeGreaterThan(1);
  expect(storage.received.length).toBeLessThanOrEqual(1 + whiles);
  expect(numbersOf([...storage.objects.values()].map((one) => ({ text: one })))).toEqual(
    numbers(8),
  );
});

test("a request with a wrong signature is rejected by storage, and retried", async () => {
  const { add, happen, stream } = await makeStreamWorld();
  await happen(1);
  const storage = closeLater(await openStorage("another secret"));
  const place = { url: storage.url, region: "eu-central-1", bucket: "trail", prefix: "" };
  const id = await add({ kind: "s3", ca, accessKeyId: "AK1", ...place, every: 1 });
  engine();
  await vi.waitFor(async () => expect((await stream(id)).log.at(-1)?.status).toBe(403), waits);
  expect([(await stream(id)).auditSeq, storage.objects.size]).toEqual([0, 0]);
});

test("syslog gets each entry as a message of RFC 5424; a connection that breaks before everything is read counts as failed", async () => {
  const { tenant, add, happen, set, stream } = await makeStreamWorld();
  await happen(2);
  const syslog = closeLater(await openSyslog());
  syslog.willing(false);
  const id = await add({ kind: "syslog", host: "127.0.0.1", port: syslog.port, ca });
  engine();
  await vi.waitFor(async () => expect((await stream(id)).failures).toBeGreaterThan(0), waits);
  expect((await stream(id)).auditSeq).toBe(0);
  syslog.willing(true);
  await set(id, { dueAt: new Date() });
  await happen(1);
  await vi.waitFor(() => expect(numbersOf(syslog.received)).toEqual(numbers(3)), waits);
  const [first = ""] = syslog.messages;
  expect(first).toMatch(
    /^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ gatehouse - user\.updated \[gatehouse@32473 /,
  );
  expect(first).toContain(`tenant="${tenant}"`);
  expect(first).toContain('seq="1" action="user.updated" result="success"');
});
