import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let support: Headers;
let admin: Headers;

beforeAll(async () => {
  const tenant = await makeTenant({ siteIds: [] });
  const system = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { isSystem: true } });
  support = (await makeSession(tenant, system.userId)).headers;
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  admin = (await makeSession(tenant, userId)).headers;
});

const wanted = (change: Record<string, unknown> = {}) => ({
  id: `t-${randomBytes(6).toString("hex")}`,
  name: "Acme GmbH",
  admin: { login: "boss", name: "The Boss", emailAddress: "boss@acme.example" },
  ...change,
});
const create = (body: unknown, headers = support) => send("POST /v1/tenants", { headers, body });

describe("201", () => {
  test("a production tenant whose administrator accepts the invitation link, and is then administrator", async () => {
    const body = wanted();
    const made = await create(body);
    expect([made.status, made.headers.get("location")]).toEqual([201, `/v1/tenants/${body.id}`]);
    expect(made.body).toMatchObject({
      id: body.id,
      name: "Acme GmbH",
      kind: "production",
      admin: { login: "boss" },
    });
    expect(made.body.admin.url).toContain(`/invite/${body.id}#token=${made.body.admin.token}`);
    const password = "four words in a row";
    const headers = { "X-Service-Tenant": body.id };
    const accepted = await send("POST /v1/user/invitations/accept", {
      headers,
      body: { token: made.body.admin.token, password },
    });
    expect(accepted.status).toBe(200);
    const login = await send("POST /v1/user/session-login", {
      headers,
      body: { tenant: body.id, login: "boss", password },
    });
    const session = await send("GET /v1/user/session", {
      headers: { ...headers, "X-Service-Session-Id": login.body.sessionId },
    });
    expect(session.body.roles.roleIds).toEqual(["tenant.admin"]);
  });

  test("support lists every tenant, newest first, and reads each", async () => {
    const first = (await create(wanted())).body;
    const second = (await create(wanted({ kind: "sandbox" }))).body;
    const page = await send("GET /v1/tenants?limit=1", { headers: support });
    expect(page.body).toMatchObject([{ id: second.id, kind: "sandbox" }]);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
    expect((await send(`GET ${next}`, { headers: support })).body).toMatchObject([
      { id: first.id },
    ]);
    expect((await send(`GET /v1/tenants/${first.id}`, { headers: support })).body).toMatchObject({
      id: first.id,
      name: "Acme GmbH",
    });
  });
});

test("401: a key, even of a system user", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { isSystem: true } });
  const answer = await create(wanted(), (await makeApiKey(tenant, userId)).headers);
  expect([answer.status, answer.body.code]).toEqual([401, "auth.scheme-not-accepted"]);
});

test("403: an administrator who is not a system user can neither create nor see tenants", async () => {
  for (const answer of [
    await create(wanted(), admin),
    await send("GET /v1/tenants", { headers: admin }),
  ])
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "auth.permission-missing",
      "system",
    ]);
});

test("404: a tenant that does not exist", async () => {
  expect((await send("GET /v1/tenants/nobody", { headers: support })).body.code).toBe(
    "tenant.not-found",
  );
});

test("409: an id in use; nothing of the rejected tenant is stored", async () => {
  const taken = wanted();
  await create(taken);
  const answer = await create({ ...taken, name: "Other" });
  expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
    409,
    "tenant.id-taken",
    "/id",
  ]);
  expect((await send(`GET /v1/tenants/${taken.id}`, { headers: support })).body.name).toBe(
    "Acme GmbH",
  );
});
