import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { makeTenant } from "@/lib/setup/testing/factories";
import type { LoggedRequest } from "./write";
import { maxBytes, writeRequests } from "./write";

/** Hexadecimal digits, which the database does not compress. */
const agent = randomBytes(800).toString("hex");

/** `count` requests with one status, with ids in order starting at `from`. */
const requests = (
  count: number,
  from: number,
  given: Pick<LoggedRequest, "tenantId" | "status" | "credentialKind">,
) =>
  Array.from(
    { length: count },
    (_, n): LoggedRequest => ({
      ...given,
      refusalId: `req_${String(from + n).padStart(26, "0")}`,
      requestId: "trace",
      occurredAt: new Date(),
      method: "GET",
      path: "/v1/user/list",
      code: given.status < 400 ? "" : "auth.permission-missing",
      address: "192.0.2.1",
      agent,
      durationMs: 1,
    }),
  );

test("nothing is stored for an unknown tenant", async () => {
  await writeRequests(
    "no-such-tenant",
    requests(1, 0, { tenantId: "no-such-tenant", status: 403 }),
  );
  const rows = await db()
    .select()
    .from(refusedRequests)
    .where(eq(refusedRequests.tenantId, "no-such-tenant"));
  expect(rows).toEqual([]);
});

test("a tenant's newest megabytes are retained, of failures and of successes", async () => {
  const tenantId = await makeTenant();
  const batch = (n: number, status: number) =>
    writeRequests(
      tenantId,
      requests(500, n * 500, { tenantId, status, credentialKind: "session" }),
    );
  await batch(0, 200);
  for (let n = 1; n < 9; n += 1) await batch(n, 403);
  const kept = await db()
    .select({ id: refusedRequests.refusalId, status: refusedRequests.status })
    .from(refusedRequests)
    .where(eq(refusedRequests.tenantId, tenantId));
  const failed = kept.filter(({ status }) => status === 403);
  expect(kept.length - failed.length).toBe(500);
  expect(failed.length * agent.length).toBeLessThan(maxBytes.failures);
  expect(failed.length * 2 * agent.length).toBeGreaterThan(maxBytes.failures);
  expect(failed.some(({ id }) => id.endsWith("00500"))).toBe(false);
  expect(failed.some(({ id }) => id.endsWith("04499"))).toBe(true);
});

test.each([undefined, "anonymous", "customer"] as const)(
  "20 failures of an administrator are retained, whatever callers of kind %s send",
  async (credentialKind) => {
    const tenantId = await makeTenant();
    const given = { tenantId, status: 404 };
    await writeRequests(tenantId, requests(20, 0, { ...given, credentialKind: "session" }));
    for (let n = 1; n < 9; n += 1)
      await writeRequests(tenantId, requests(500, n * 500, { ...given, credentialKind }));
    const kept = await db()
      .select({ kind: refusedRequests.credentialKind })
      .from(refusedRequests)
      .where(eq(refusedRequests.tenantId, tenantId));
    expect(kept.filter(({ kind }) => kind === "session")).toHaveLength(20);
    const strangers = kept.length - 20;
    expect(strangers * agent.length).toBeLessThan(maxBytes.strangers);
    expect(strangers).toBeGreaterThan(0);
  },
);

test("requests of strangers do not displace the failures of the tenant's own callers", async () => {
  const tenantId = await makeTenant();
  const given = { tenantId, status: 404 };
  // Both together exceed the limit for failures.
  const count = Math.floor((maxBytes.failures * 0.85) / (agent.length + 200));
  await writeRequests(tenantId, requests(count, 0, { ...given, credentialKind: "session" }));
  for (let n = 0; n < 2; n += 1)
    await writeRequests(tenantId, requests(500, count + n * 500, { ...given }));
  const ofSessions = and(
    eq(refusedRequests.tenantId, tenantId),
    eq(refusedRequests.credentialKind, "session"),
  );
  expect(await db().$count(refusedRequests, ofSessions)).toBe(count);
});
