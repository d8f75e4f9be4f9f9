import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { provisioningTokens } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const dayMs = 86_400_000;

let tenant: string;
let userId: string;
let id: string;
let headers: Record<string, string>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  ({ headers } = await makeSession(tenant, userId));
  const body = {
    ...{ name: "Example Corp", issuer: "https://login.example" },
    ...{ clientId: "gatehouse", clientSecret: "secret" },
  };
  ({ id } = (await send("POST /v1/tenant/connections", { headers, body })).body);
});

const rotate = (as = headers, body: object | undefined = undefined, of = id) =>
  send(`POST /v1/tenant/connections/${of}/provisioning-token`, {
    headers: as,
    ...(body && { body }),
  });
const requests = (as = headers, of = id) =>
  send(`GET /v1/tenant/connections/${of}/provisioning-requests`, { headers: as });

test("200: the token is shown once, stored as a hash, and the previous one expires after the overlap", async () => {
  const first = await rotate();
  expect(first.status, first.text).toBe(200);
  expect(first.body).toEqual({ token: expect.stringMatching(/^svn_[0-9A-Za-z]{43}$/) });
  const second = await rotate(headers, { overlap: "P2D" });
  const left = Date.parse(second.body.previousValidTo) - Date.now();
  expect(left / dayMs).toBeCloseTo(2, 2);
  await rotate();
  const isHere = eq(provisioningTokens.tenantId, tenant);
  const rows = await db().select().from(provisioningTokens).where(isHere);
  expect(rows).toHaveLength(2);
  const trail = JSON.stringify(await trailOf(tenant));
  for (const { token } of [first.body, second.body]) {
    expect(trail).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(token);
  }
  expect((await trailOf(tenant)).map(({ action }) => action)).toEqual([
    "connection.created",
    ...Array(3).fill("connection.provisioning-token-created"),
  ]);
});

test("400 for an overlap of more than a week", async () => {
  expect((await rotate(headers, { overlap: "P8D" })).body.reason).toBe("/overlap");
});

test("401 without a recent proof of identity", async () => {
  const authenticatedAt = new Date(Date.now() - 16 * 60_000);
  const { headers: old } = await makeSession(tenant, userId, { authenticatedAt });
  expect((await rotate(old)).body.code).toBe("auth.step-up-required");
});

test("403 for a caller who is no administrator, and for an API key", async () => {
  const { userId: manager } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const session = await makeSession(tenant, manager);
  const key = await makeApiKey(tenant, userId, { permissions: ["tenant.manage"] });
  for (const ask of [rotate, requests]) {
    expect((await ask(session.headers)).body.code).toBe("auth.permission-missing");
    expect((await ask(key.headers)).body.code).toBe("auth.scheme-not-accepted");
  }
});

test("404 for an unknown connection and for one of another tenant", async () => {
  const other = await makeTenant();
  const { userId: admin } = await makeUser(other, { roleIds: ["tenant.admin"] });
  const foreign = (await makeSession(other, admin)).headers;
  for (const ask of [rotate, (as: typeof headers, _: undefined, of = id) => requests(as, of)]) {
    expect((await ask(headers, undefined, "conn_unknown")).body.code).toBe("connection.not-found");
    expect((await ask(foreign, undefined)).body.code).toBe("connection.not-found");
  }
});
