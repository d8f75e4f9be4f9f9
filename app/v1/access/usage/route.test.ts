import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flushUses } from "@/lib/access/last-used";
import { countRequest, rateLimits } from "@/lib/access/rate-limits";
import { db } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let verifier: Headers;
let manager: Headers;
let userId: string;

async function verifierIn(where: string): Promise<Headers> {
  const owner = await makeUser(where, { roleIds: ["portal.configurations.mgmt"] });
  return (await makeApiKey(where, owner.userId, { permissions: ["credential.verify"] })).headers;
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  verifier = await verifierIn(tenant);
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  manager = (await makeSession(tenant, userId)).headers;
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

interface Report {
  batchId?: string;
  service?: string;
  uses: unknown[];
}

const report = ({ batchId = randomUUID(), service = "orders", uses }: Report, headers = verifier) =>
  send("POST /v1/access/usage", { headers, body: { batchId, service, uses } });

const reported = (credentialId: string, more: object = {}) => ({
  credentialId,
  kind: "apiKey",
  count: 1,
  lastUsedAt: minutesAgo(1),
  ...more,
});

/** The number of calls that the metrics have counted for a key. */
async function callsOf(apiKeyId: string): Promise<Record<string, number>> {
  const query = new URLSearchParams({
    from: minutesAgo(120),
    to: minutesAgo(-5),
    apiKey: apiKeyId,
  });
  query.append("group", "domain");
  query.append("group", "endpoint");
  const path = `/v1/api-metrics/metrics/timeserie-counts?${query}`;
  const { body, text } = await send(`GET ${path}`, { headers: manager });
  return Object.fromEntries(
    body.series.map(({ groups, values }: { groups: object; values: number[] }) => [
      Object.values(groups).join(" "),
      values.reduce((sum, value) => sum + value, 0),
    ]) ?? text,
  );
}

const keyOf = async (apiKeyId: string) =>
  (await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: manager })).body;

describe("POST /v1/access/usage, 202", () => {
  test("a key's last use, its address and its counts are the reported ones", async () => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const lastUsedAt = minutesAgo(3);
    const operation = "POST /orders/{id}";
    const use = reported(apiKeyId, { count: 7, lastUsedAt, address: "192.0.2.9", operation });
    const answer = await report({ uses: [use] });
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({ credentials: 1, uses: 7 });
    await flushUses(true);
    expect(await keyOf(apiKeyId)).toMatchObject({
      lastUsedAt: expect.stringContaining(lastUsedAt.slice(0, 16)),
      lastUsedIp: "192.0.2.9",
      lastUsedOperation: operation,
    });
    expect(await callsOf(apiKeyId)).toEqual({ [`orders ${operation}`]: 7 });
  });

  test("the same batch sent again is not counted again", async () => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const batch = { batchId: randomUUID(), uses: [reported(apiKeyId, { count: 5 })] };
    const answers = await Promise.all([report(batch), report(batch), report(batch)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(answers[2]?.body).toEqual(answers[0]?.body);
    expect(await callsOf(apiKeyId)).toEqual({ "orders *": 5 });
  });

  test("a reported operation replaces the verification as the last use, also after it was stored", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const body = { credentials: [{ apiKey }] };
    expect((await send("POST /v1/access/verify", { headers: verifier, body })).status).toBe(200);
    const { lastUsedAt, lastUsedOperation } = await keyOf(apiKeyId);
    expect(lastUsedOperation).toBe("POST /v1/access/verify");
    await flushUses(true);
    const operation = "GET /orders/{id}";
    await report({ uses: [reported(apiKeyId, { lastUsedAt, operation })] });
    expect((await keyOf(apiKeyId)).lastUsedOperation).toBe(operation);
    await flushUses(true);
    const { rows } = await db().execute(
      sql`select last_used_operation from api_keys where tenant_id = ${tenant} and api_key_id = ${apiKeyId}`,
    );
    expect(rows).toEqual([{ last_used_operation: operation }]);
  });

  test("an earlier use does not replace a later one, and no use is stored with a time in the future", async () => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    await report({
      uses: [reported(apiKeyId, { lastUsedAt: minutesAgo(2), address: "192.0.2.2" })],
    });
    await report({
      uses: [reported(apiKeyId, { lastUsedAt: minutesAgo(9), address: "192.0.2.1" })],
    });
    await flushUses(true);
    expect((await keyOf(apiKeyId)).lastUsedIp).toBe("192.0.2.2");
    await report({ uses: [reported(apiKeyId, { lastUsedAt: minutesAgo(-4) })] });
    await flushUses(true);
    const { lastUsedAt } = await keyOf(apiKeyId);
    expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now());
  });

  test("a valid session is extended; a session that was idle too long stays expired", async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    const idle = await makeSession(tenant, userId, { lastSeenAt: hourAgo });
    const works = await makeSession(tenant, userId);
    const uses = [idle, works].map(({ sessionRef }) =>
      reported(sessionRef, { kind: "session", lastUsedAt: new Date().toISOString() }),
    );
    expect((await report({ uses })).body).toMatchObject({ credentials: 1, uses: 0 });
    await flushUses(true);
    const status = async (headers: Headers) =>
      (await send("GET /v1/user/session", { headers })).status;
    expect(await status(idle.headers)).toBe(403);
    expect(await status(works.headers)).toBe(200);
  });

  test("keys of other tenants and unknown keys are ignored", async () => {
    const other = await makeTenant();
    const stranger = await makeUser(other);
    const foreign = await makeApiKey(other, stranger.userId);
    const uses = [
      reported(foreign.apiKeyId),
      reported("key_unknown"),
      reported("x", { kind: "session" }),
    ];
    expect((await report({ uses })).body).toMatchObject({ credentials: 0, uses: 0 });
  });
});

describe("POST /v1/access/usage, errors", () => {
  test("400 for a use that is too old, in the future, or of no operation, and for a batch without an id", async () => {
    const wrong = [
      { uses: [reported("key_x", { lastUsedAt: minutesAgo(25 * 60) })] },
      { uses: [reported("key_x", { lastUsedAt: minutesAgo(-6) })] },
      { uses: [reported("key_x", { operation: "orders" })] },
      { uses: [reported("key_x", { count: 0 })] },
      { uses: [] },
      { batchId: "", uses: [reported("key_x")] },
      { service: "Orders!", uses: [reported("key_x")] },
    ];
    for (const batch of wrong)
      expect((await report(batch)).status, JSON.stringify(batch)).toBe(400);
  });

  test("401 for a session, 403 without credential.verify", async () => {
    expect((await report({ uses: [reported("key_x")] }, manager)).status).toBe(401);
    const low = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
    const { headers } = await makeApiKey(tenant, low.userId);
    expect((await report({ uses: [reported("key_x")] }, headers)).status).toBe(403);
  });

  test("409 for a batch id that was already used with other uses", async () => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const batchId = randomUUID();
    expect((await report({ batchId, uses: [reported(apiKeyId)] })).status).toBe(202);
    const other = await report({ batchId, uses: [reported(apiKeyId, { count: 2 })] });
    expect([other.status, other.body.code]).toEqual([409, "metrics.batch-id-reused"]);
  });

  test("413 for more than 1,000 uses", async () => {
    const uses = Array(1001).fill(reported("key_x"));
    expect((await report({ uses })).status).toBe(413);
  });

  test("429 once a key has exceeded its rate limit of reported uses", async () => {
    const { apiKeyId, headers: own } = await makeApiKey(tenant, userId, {
      permissions: ["credential.verify"],
    });
    process.env.RATE_LIMITS = "on";
    try {
      // A slow machine takes longer than the limit's minute for all of it.
      await countRequest("verification", apiKeyId, 1, rateLimits.verification.quota - 1500);
      const uses = Array(1000).fill(reported("key_x"));
      const statuses = [(await report({ uses }, own)).status, (await report({ uses }, own)).status];
      expect(statuses).toEqual([202, 429]);
    } finally {
      process.env.RATE_LIMITS = "off";
    }
  });
});

test("429: uses with more new values than the tenant's daily quota", async () => {
  const where = await makeTenant();
  const headers = await verifierIn(where);
  await db().insert(tenantQuotas).values({ tenantId: where, quota: "metric-cells", max: 0 });
  const owner = await makeUser(where, { roleIds: ["portal.default"] });
  const { apiKeyId } = await makeApiKey(where, owner.userId);
  const uses = [reported(apiKeyId, { operation: "GET /orders" })];
  const answer = await report({ uses }, headers);
  expect([answer.status, answer.body.code]).toEqual([429, "quota.exceeded"]);
});
