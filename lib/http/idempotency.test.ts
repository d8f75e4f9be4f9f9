import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

async function caller() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  return { tenant, userId, ...(await makeSession(tenant, userId)) };
}

test("the same key and body replay the first response, for this caller only", async () => {
  const { tenant, headers } = await caller();
  const other = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const target = await makeUser(tenant, { roleIds: ["portal.default"] });
  const lock = (by: Record<string, string>) =>
    send(`POST /v1/user/${target.userId}/lock`, {
      headers: { ...by, "Idempotency-Key": "lock-1" },
      body: { reason: "left" },
    });
  const first = await lock(headers);
  const again = await lock(headers);
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect([
    first.headers.get("idempotency-replayed"),
    again.headers.get("idempotency-replayed"),
  ]).toEqual([null, "true"]);
  expect((await lock(other.headers)).headers.get("idempotency-replayed")).toBeNull();
});

test("a replay has the headers of every response, and the first response's Location and ETag", async () => {
  const { headers } = await caller();
  const create = (requestId: string) =>
    send("POST /pim/preview", {
      headers: {
        ...headers,
        "X-Service-Site": "one",
        "Idempotency-Key": "preview-1",
        "X-Service-Request-Id": requestId,
      },
      body: { key: "home", configuration: {} },
    });
  const [first, again] = [await create("first"), await create("again")];
  const told = (answer: typeof first) =>
    ["location", "etag", "cache-control"].map((name) => answer.headers.get(name));
  expect(told(again)).toEqual(told(first));
  expect(again.headers.get("etag")).not.toBeNull();
  expect([
    again.headers.get("x-service-request-id"),
    again.headers.get("idempotency-replayed"),
  ]).toEqual(["again", "true"]);
});

test("409: a token is never stored for a replay, nor found in the store", async () => {
  const { tenant, headers } = await caller();
  const ask = () =>
    send("POST /v1/user/portal-token", { headers: { ...headers, "Idempotency-Key": "token" } });
  const first = await ask();
  const again = await ask();
  expect([first.status, again.status, again.body.code]).toEqual([
    200,
    409,
    "idempotency.secret-not-replayable",
  ]);
  const rows = await db()
    .select()
    .from(idempotentAnswers)
    .where(eq(idempotentAnswers.tenantId, tenant));
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(first.body.accessToken);
});

test("409: one of ten simultaneous requests runs, the others get in-flight or its response", async () => {
  const { tenant, headers } = await caller();
  const target = await makeUser(tenant, { roleIds: ["portal.default"] });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      send(`POST /v1/user/${target.userId}/lock`, {
        headers: { ...headers, "Idempotency-Key": "race" },
        body: { reason: "left" },
      }),
    ),
  );
  const ran = answers.filter(
    ({ status, headers: got }) => status === 200 && got.get("idempotency-replayed") === null,
  );
  const others = answers.filter(
    ({ status, body, headers: got }) =>
      body.code === "idempotency.in-flight" || (status === 200 && got.get("idempotency-replayed")),
  );
  expect([ran.length, others.length]).toEqual([1, 9]);
});

test("400: a key with other characters than visible ASCII, naming the header", async () => {
  const { headers } = await caller();
  const answer = await send("POST /v1/user/portal-token", {
    headers: { ...headers, "Idempotency-Key": "a b" },
  });
  expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
    400,
    "idempotency.key-invalid",
    "Idempotency-Key",
  ]);
});

test("422: the same key at another site, or with another query, is another request", async () => {
  const { headers } = await caller();
  const create = (site: string, query = "") =>
    send(`POST /pim/preview${query}`, {
      headers: { ...headers, "X-Service-Site": site, "Idempotency-Key": "at-a-site" },
      body: { key: "home", configuration: {} },
    });
  expect((await create("one")).status).toBe(201);
  const elsewhere = await create("two");
  expect([elsewhere.status, elsewhere.body.code]).toEqual([422, "idempotency.key-reused"]);
  expect((await create("one")).headers.get("idempotency-replayed")).toBe("true");
});

describe("the response is stored in the transaction of the work", () => {
  const roles = { roleIds: [], sites: {} };
  const validTo = () => new Date(Date.now() + 86_400_000).toISOString();
  const person = { name: "Ada", emailAddress: "ada@example.com", roles };

  test.each<[string, (userId: string) => unknown]>([
    ["POST /v1/user/profile/api-keys", () => ({ name: "ci", validTo: validTo() })],
    ["POST /v1/user/service-users", () => ({ login: "robot", name: "Robot", roles })],
    ["POST /v1/user/invitations", () => ({ login: "ada", ...person })],
    ["POST /v1/user/{target}/lock", () => ({ reason: "left" })],
    ["POST /v1/user/{target}/deactivate", () => undefined],
    ["POST /v1/user/{target}/password-reset", () => undefined],
    ["POST /v1/tenant/sites", () => ({ id: "three", name: "Three" })],
    ["POST /pim/preview", () => ({ key: "home", configuration: {} })],
    ["POST /v1/user/profile/api-keys/{key}/rotate", () => ({})],
    ["POST /v1/user/profile/api-keys/{key}/suspend", () => undefined],
    ["POST /v1/user/sandboxes", () => ({ tenant: `made-${Date.now()}`, site: "one", name: "S" })],
  ])("%s", async (operation, bodyOf) => {
    const { tenant, userId, headers } = await caller();
    const target = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const path = operation.replace("{target}", target.userId).replace("{key}", apiKeyId);
    const body = bodyOf(userId);
    const answer = await send(path, {
      headers: { ...headers, "X-Service-Site": "one", "Idempotency-Key": "once" },
      body,
    });
    expect([200, 201], answer.text).toContain(answer.status);
    const keptIn = operation.endsWith("/sandboxes") ? answer.body.tenant : tenant;
    const { rows } = await db().execute<{
      same: boolean;
    }>(sql`select bool_or(e.xmin = a.xmin) as same
      from idempotent_answers a join audit_events e on e.tenant_id = ${keptIn} and e.request_id = ${answer.headers.get("x-service-request-id")}
      where a.tenant_id = ${keptIn}`);
    expect(rows).toEqual([{ same: true }]);
  });
});
