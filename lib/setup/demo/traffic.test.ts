import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys, refusedRequests, tenants } from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { findDemoStory } from "@/lib/features/metrics/demo";
import { dayOfTraffic } from "@/lib/features/metrics/demo-traffic";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import { countCalls, topCalls } from "@/lib/features/metrics/query-engine";
import { writeCells } from "@/lib/features/metrics/write";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { addDemoRequests, continueDemo } from "./traffic";

const question = {
  tenantId: "demo",
  group: [],
  filters: {},
  statusClasses: [],
  timeZone: "UTC",
  period: { unit: "minute", count: 1, timeZone: "UTC" },
} as const;

/** The demo with two days of its traffic: filling all of it takes long. */
async function makeDemo(): Promise<number> {
  const like = await makeTenant();
  const [row] = await db().select().from(tenants).where(eq(tenants.tenantId, like));
  if (!row) throw new Error("The tenant that was made is not there.");
  const createdAt = new Date();
  await db()
    .insert(tenants)
    .values({ ...row, tenantId: "demo", kind: "demo", createdAt });
  for (const name of ["storefront", "export", "import"])
    await makeApiKey("demo", (await makeUser("demo")).userId, { name });
  const [made, story] = [createdAt.getTime(), await findDemoStory()];
  const today = Math.floor(made / dayMs) * dayMs;
  for (const [index, day] of [today - dayMs, today].entries()) {
    const batch = { tenantId: "demo", source: "test", seq: index + 1 };
    await writeCells(batch, dayOfTraffic(day, made, story?.keys ?? []));
  }
  await addDemoRequests();
  return made;
}

/** The peak of server errors can be traced to one key, and its requests are in the log. */
async function expectStory(made: number): Promise<void> {
  const range = { from: made - dayMs, to: made };
  const asked = { ...question, ...range, statusClasses: ["5"] };
  const { plan, series } = await countCalls(asked, made);
  const values = series[0]?.values ?? [];
  const peak = plan.times[values.indexOf(Math.max(...values))] ?? 0;
  const of = { from: peak, to: peak + minuteMs };
  const [first] = await topCalls({ ...asked, ...of, group: ["apiKey", "endpoint"] }, 1, made);
  expect(first?.groups.endpoint).toBe("PUT /pim/preview/{key}/configuration");
  expect(first?.share).toBeGreaterThan(0.5);
  const logged = await db()
    .select()
    .from(refusedRequests)
    .where(eq(refusedRequests.tenantId, "demo"))
    .orderBy(refusedRequests.refusalId);
  const behind = logged.filter(
    ({ occurredAt, credentialId, status }) =>
      occurredAt.getTime() >= of.from &&
      occurredAt.getTime() < of.to &&
      credentialId === first?.groups.apiKey &&
      status === 503,
  );
  expect(behind.length).toBeGreaterThan(0);
  const keys = await db().select().from(apiKeys).where(eq(apiKeys.tenantId, "demo"));
  expect(keys.map(({ apiKeyId }) => apiKeyId)).toContain(first?.groups.apiKey);
  const times = logged.map(({ occurredAt }) => occurredAt.getTime());
  expect(times, "ids sort by time").toEqual(times.toSorted((a, b) => a - b));
}

/** Calls continue where the fill ended, each minute once, however often and late the task runs. */
async function expectToGoOn(made: number): Promise<void> {
  const later = made + 8 * 3_600_000;
  const countsTo = async (to: number) => {
    const asked = { ...question, from: made - 10 * minuteMs, to };
    return (await countCalls(asked, later)).series[0]?.values ?? [];
  };
  await continueDemo(made + 3 * minuteMs);
  const soon = await countsTo(made + 2 * minuteMs);
  expect(
    soon.filter((count) => count === 0),
    JSON.stringify(soon),
  ).toEqual([]);
  await continueDemo(made + 3 * minuteMs);
  expect(await countsTo(made + 2 * minuteMs)).toEqual(soon);
  await continueDemo(later);
  const all = await countsTo(later - minuteMs);
  expect(all.slice(0, soon.length)).toEqual(soon);
  expect(all.filter((count) => count === 0)).toEqual([]);
  const logged = await db()
    .select()
    .from(refusedRequests)
    .where(eq(refusedRequests.tenantId, "demo"));
  expect(logged.some(({ occurredAt }) => occurredAt.getTime() > made + minuteMs)).toBe(true);
}

// One store for both: a process caches which series it wrote, and a second store would lack them.
test("the cause of the peak can be traced to a request, and the demo's calls continue", () =>
  onEmptyStore(async () => {
    const made = await makeDemo();
    await expectStory(made);
    await expectToGoOn(made);
  }));
