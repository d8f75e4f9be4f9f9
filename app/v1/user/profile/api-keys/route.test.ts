import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { flushUses } from "@/lib/access/last-used";
import { db } from "@/lib/database/open";
import { apiKeys, auditEvents } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const operation = "POST /v1/user/profile/api-keys";
const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
let tenant: string;
let userId: string;
let session: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] }));
  session = (await makeSession(tenant, userId)).headers;
});

const create = (body: unknown, headers: Record<string, string> = {}) =>
  send(operation, { headers: { ...session, ...headers }, body });

describe("200", () => {
  test("exactly apiKey, apiKeyId and validTo; the key works afterwards and its value is not stored", async () => {
    const validTo = inDays(30);
    const twoHoursAhead = new Date(Date.parse(validTo) + 2 * 3_600_000).toISOString();
    const answer = await create({ name: "ci", validTo: twoHoursAhead.replace("Z", "+02:00") });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["apiKey", "apiKeyId", "validTo"]);
    expect(answer.body.validTo).toBe(validTo);
    expect(answer.headers.get("location")).toBeNull();
    const key = { "X-Service-Tenant": tenant, "x-service-api-key": answer.body.apiKey };
    expect((await send("GET /v1/user/list", { headers: key })).status).toBe(200);
    const stored = JSON.stringify([
      await db().select().from(apiKeys).where(eq(apiKeys.tenantId, tenant)),
      await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant)),
    ]);
    expect(stored).not.toContain(answer.body.apiKey);
    const shown = await send(`GET /v1/user/profile/api-keys/${answer.body.apiKeyId}`, {
      headers: session,
    });
    expect(shown.body).toMatchObject({
      name: "ci",
      status: "active",
      hint: answer.body.apiKey.slice(-4),
    });
    expect(shown.text).not.toContain(answer.body.apiKey);
  });

  test("a revoked key's name is free again", async () => {
    const first = await create({ name: "again", validTo: inDays(1) });
    await send(`DELETE /v1/user/profile/api-keys/${first.body.apiKeyId}`, { headers: session });
    expect((await create({ name: "AGAIN", validTo: inDays(1) })).status).toBe(200);
  });

  test("another user of the tenant may use the same name", async () => {
    const other = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { headers } = await makeSession(tenant, other.userId);
    await create({ name: "shared", validTo: inDays(1) });
    expect(
      (await send(operation, { headers, body: { name: "shared", validTo: inDays(1) } })).status,
    ).toBe(200);
  });

  test("the creation is in the audit trail, with its request", async () => {
    const { body, headers } = await create(
      { name: "audited", validTo: inDays(1) },
      { "X-Service-Request-Id": "my-request" },
    );
    expect(headers.get("x-service-request-id")).toBe("my-request");
    const admin = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const trail = await send(`GET /v1/audit/events?target=${body.apiKeyId}`, {
      headers: (await makeApiKey(tenant, admin.userId)).headers,
    });
    expect(trail.body).toMatchObject([
      {
        action: "api-key.created",
        requestId: "my-request",
        actor: { id: userId },
        target: { id: body.apiKeyId },
        result: "success",
      },
    ]);
  });
});

describe("409", () => {
  test("20 parallel creations of one name in any letter case: one 200 and 19 times 409", {
    timeout: 120_000,
  }, async () => {
    let headers = session;
    for (let round = 0; round < 50; round += 1) {
      // A new caller every 10 rounds: a single one would reach its rate limit.
      if (round % 10 === 0)
        ({ headers } = await makeSession(
          tenant,
          (await makeUser(tenant, { roleIds: ["portal.default"] })).userId,
        ));
      const name = `race-${round}`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          create({ name: n % 2 ? name : name.toUpperCase(), validTo: inDays(1) }, headers),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(19).fill(409)]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        name: "ConflictError",
        code: "api-key.name-taken",
      });
    }
  });

  test("a response with a secret is never replayed", async () => {
    const idempotent = { "Idempotency-Key": "once" };
    const body = { name: "idempotent", validTo: inDays(1) };
    const first = await create(body, idempotent);
    const again = await create(body, idempotent);
    expect([again.status, again.body.code, again.body.reason]).toEqual([
      409,
      "idempotency.secret-not-replayable",
      first.body.apiKeyId,
    ]);
    expect((await create({ ...body, name: "other" }, idempotent)).body.code).toBe(
      "idempotency.key-reused",
    );
  });

  test("a rejected request releases its Idempotency-Key", async () => {
    const idempotent = { "Idempotency-Key": "released" };
    await create({ name: "released", validTo: inDays(1) });
    const body = { name: "RELEASED", validTo: inDays(1) };
    expect((await create(body, idempotent)).status).toBe(409);
    expect((await create(body, idempotent)).body.code).toBe("api-key.name-taken");
  });
});

describe("400", () => {
  test.each([
    [{ name: "a", validTo: inDays(-1) }, "/validTo"],
    [{ name: "a", validTo: inDays(367) }, "/validTo"],
    [{ name: "a", validTo: "2026-02-30T00:00:00Z" }, "/validTo"],
    [{ name: "a", validTo: "2026-12-31" }, "/validTo"],
    [{ name: " ", validTo: inDays(1) }, "/name"],
    [{ name: "a\u0007", validTo: inDays(1) }, "/name"],
    [{ validTo: 5 }, "/validTo,/name"],
    [{ name: "a", validTo: inDays(1), owner: "someone" }, "/owner"],
    [[], ""],
  ])("%j is reported as wrong at %s", async (body, reason) => {
    const answer = await create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });
});

describe("401", () => {
  test("an API key and a bearer cannot create keys", async () => {
    const { headers } = await makeApiKey(tenant, userId);
    const answer = await send(operation, { headers, body: { name: "x", validTo: inDays(1) } });
    expect([answer.status, answer.body.code]).toEqual([401, "auth.scheme-not-accepted"]);
  });

  test("a revoked key is rejected at once, and revoking it again changes nothing", async () => {
    const { headers, apiKeyId } = await makeApiKey(tenant, userId);
    const use = () => send("GET /v1/user/session", { headers });
    expect((await use()).status).toBe(200);
    const revoke = () => send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers: session });
    expect([(await revoke()).status, (await use()).status, (await revoke()).status]).toEqual([
      204, 401, 204,
    ]);
  });
});

test("404: another user's key, and an unknown one", async () => {
  const other = await makeUser(tenant, { roleIds: ["portal.default"] });
  const { apiKeyId } = await makeApiKey(tenant, other.userId);
  for (const id of [apiKeyId, "key_nothing", "%00", "x".repeat(500)]) {
    const answers = await Promise.all(
      ["GET", "DELETE"].map((method) =>
        send(`${method} /v1/user/profile/api-keys/${id}`, { headers: session }),
      ),
    );
    expect(answers.map(({ status }) => (id === "%00" ? Math.min(status, 404) : status))).toEqual(
      id === "%00" ? [400, 400] : [404, 404],
    );
  }
});

test("the list pages newest first, and shows uses although reads write nothing", async () => {
  const own = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const { headers } = await makeSession(tenant, own.userId);
  const keys = [];
  for (let n = 0; n < 3; n += 1)
    keys.push(await makeApiKey(tenant, own.userId, { createdAt: new Date(Date.now() + n) }));
  const first = await send("GET /v1/user/profile/api-keys?limit=2", { headers });
  expect(first.body.map((key: { apiKeyId: string }) => key.apiKeyId)).toEqual([
    keys[2]?.apiKeyId,
    keys[1]?.apiKeyId,
  ]);
  const next = /<(.+)>/.exec(first.headers.get("link") ?? "")?.[1];
  await send("GET /v1/user/list", { headers: keys[0]?.headers ?? {} });
  await flushUses(true);
  const second = await send(`GET ${next}`, { headers });
  expect(second.body).toMatchObject([
    {
      apiKeyId: keys[0]?.apiKeyId,
      lastUsedIp: "127.0.0.1",
      lastUsedOperation: "GET /v1/user/list",
    },
  ]);
  expect(second.headers.get("link")).toBeNull();
});
