import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, connections } from "@/lib/database/schema/schema";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import { openClientSecret, resealClientSecrets } from "@/lib/features/connections/rows";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const path = "/v1/tenant/connections";
const secret = "what only the provider and we know";
const given = {
  name: "Example Corp",
  issuer: "https://login.example",
  clientId: "gatehouse",
  clientSecret: secret,
};

let tenant: string;
let userId: string;
let headers: Record<string, string>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  ({ headers } = await makeSession(tenant, userId));
});

const create = (body: object = {}, as = headers) =>
  send(`POST ${path}`, { headers: as, body: { ...given, ...body } });
const rows = () => db().select().from(connections).where(eq(connections.tenantId, tenant));
const asAdmin = async () => {
  const other = await makeTenant();
  const { userId: admin } = await makeUser(other, { roleIds: ["tenant.admin"] });
  return (await makeSession(other, admin)).headers;
};

describe("creation", () => {
  test("201: disabled, for linked users only, and its secret is stored encrypted and never shown", async () => {
    const { status, body, headers: answered, text } = await create();
    expect(status, text).toBe(201);
    expect(body).toMatchObject({
      ...{ name: given.name, issuer: given.issuer, clientId: "gatehouse", isEnabled: false },
      ...{ provisioning: "linked-only", domains: [], scopes: ["openid", "profile", "email"] },
      claims: { login: "preferred_username", email: "email", name: "name" },
    });
    expect(body.redirectUri).toMatch(
      new RegExp(`^https?://[^/]+/api/auth/callback/${tenant}\\.${body.id}$`),
    );
    expect(answered.get("location")).toBe(`${path}/${body.id}`);
    const shown = await send(`GET ${path}/${body.id}`, { headers });
    const listed = await send(`GET ${path}`, { headers });
    expect(listed.body).toEqual([shown.body]);
    const trail = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    for (const one of [text, shown.text, listed.text, JSON.stringify(trail)])
      expect(one).not.toContain(secret);
    const [row] = await rows();
    expect(row?.clientSecret.toString("latin1")).not.toContain(secret);
    expect(row && openClientSecret(row)).toBe(secret);
    expect(await actionsOf(tenant)).toEqual(["connection.created"]);
  });

  test("the issuer is stored as the provider writes it; openid is always requested, and domains are stored in lower case", async () => {
    const body = { issuer: "https://login.example/", scopes: ["email"], domains: ["Shop.Example"] };
    expect((await create(body)).body).toMatchObject({
      issuer: "https://login.example/",
      scopes: ["openid", "email"],
      domains: ["shop.example"],
    });
  });

  test.each([
    ["/issuer", { issuer: "https://10.0.0.1/" }],
    ["/issuer", { issuer: "https://localhost/" }],
    ["/issuer", { issuer: "ftp://login.example" }],
    ["/issuer", { issuer: "https://login.example/?tenant=a" }],
    ["/issuer", { issuer: "https://a:b@login.example/" }],
    ["/clientId", { clientId: "" }],
    ["/clientSecret", { clientSecret: "ü" }],
    ["/scopes", { scopes: [] }],
    ["/scopes/0", { scopes: ["two words"] }],
    ["/claims/login", { claims: { login: "two words" } }],
    ["/domains/0", { domains: ["@shop.example"] }],
    ["/provisioning", { provisioning: "everybody" }],
  ])("400 for an invalid %s", async (pointer, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(pointer);
  });

  test("400: plain http in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    expect((await create({ issuer: "http://login.example" })).status).toBe(400);
    vi.unstubAllEnvs();
  });

  test("401 without a recent proof of identity", async () => {
    const authenticatedAt = new Date(Date.now() - 16 * 60_000);
    const { headers: old } = await makeSession(tenant, userId, { authenticatedAt });
    expect((await create({}, old)).body.code).toBe("auth.step-up-required");
  });

  test("403 for a caller who is no administrator, and for an administrator's API key", async () => {
    const { userId: manager } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
    const session = await makeSession(tenant, manager);
    expect((await create({}, session.headers)).body.code).toBe("auth.permission-missing");
    const key = await makeApiKey(tenant, userId, { permissions: ["tenant.manage"] });
    expect((await create({}, key.headers)).body.code).toBe("auth.scheme-not-accepted");
  });

  test("409 for a sixth one, also of ten concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const rejected = answers.filter(({ status }) => status !== 201).map(({ body }) => body);
    expect(rejected).toHaveLength(5);
    for (const body of rejected)
      expect(body).toMatchObject({ code: "connection.limit-reached", reason: "5" });
  });
});

describe("change", () => {
  const change = (id: string, body: object, more: Record<string, string> = {}) =>
    send(`PATCH ${path}/${id}`, { headers: { ...headers, ...more }, body });

  test("200: the given fields change, and the others stay", async () => {
    const { id } = (await create()).body;
    const answer = await change(id, { isEnabled: true, claims: { login: "upn" } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      ...{ isEnabled: true, name: given.name },
      claims: { login: "upn", email: "email", name: "name" },
    });
    expect(await actionsOf(tenant)).toEqual(["connection.created", "connection.updated"]);
    expect((await change(id, { isEnabled: true })).status).toBe(200);
    expect(await actionsOf(tenant)).toHaveLength(2);
  });

  test("400 for another issuer without a secret: the stored one belongs to the previous issuer", async () => {
    const { id } = (await create()).body;
    const issuer = "https://evil.example";
    const refused = await change(id, { issuer });
    expect(refused.status).toBe(400);
    expect(refused.body.reason).toBe("/clientSecret");
    const moved = await change(id, { issuer, clientSecret: "another" });
    expect(moved.body.issuer).toBe(issuer);
    const [row] = await rows();
    expect(row && openClientSecret(row)).toBe("another");
  });

  test("412 for an outdated ETag", async () => {
    const { id } = (await create()).body;
    const etag = (await send(`GET ${path}/${id}`, { headers })).headers.get("etag") ?? "";
    expect((await change(id, { name: "One" }, { "If-Match": etag })).status).toBe(200);
    expect((await change(id, { name: "Two" }, { "If-Match": etag })).status).toBe(412);
    const removed = { headers: { ...headers, "If-Match": etag } };
    expect((await send(`DELETE ${path}/${id}`, removed)).status).toBe(412);
  });

  test("404 for an unknown connection and for one of another tenant", async () => {
    const { id } = (await create()).body;
    const foreign = await asAdmin();
    for (const [one, as] of [
      ["conn_unknown", headers],
      [id, foreign],
    ] as const)
      for (const operation of ["GET", "PATCH", "DELETE"]) {
        const body = operation === "PATCH" ? { body: { name: "x" } } : {};
        const answer = await send(`${operation} ${path}/${one}`, { headers: as, ...body });
        expect(answer.body.code, operation).toBe("connection.not-found");
      }
    expect(await rows()).toHaveLength(1);
  });
});

test("204: a deleted connection is gone, and the audit trail has its last values", async () => {
  const { id } = (await create()).body;
  expect((await send(`DELETE ${path}/${id}`, { headers })).status).toBe(204);
  expect((await send(`GET ${path}`, { headers })).body).toEqual([]);
  expect(await actionsOf(tenant)).toEqual(["connection.created", "connection.deleted"]);
});

test("a secret encrypted with a previous SECRET_KEY is encrypted again", async () => {
  const [old, present] = ["a".repeat(32), "b".repeat(32)];
  vi.stubEnv("SECRET_KEY", old);
  const { id } = (await create()).body;
  vi.stubEnv("SECRET_KEY", present);
  vi.stubEnv("SECRET_KEY_PREVIOUS", old);
  await resealClientSecrets(tenant);
  vi.stubEnv("SECRET_KEY_PREVIOUS", "");
  const [row] = await rows();
  expect(row?.connectionId).toBe(id);
  expect(row && openClientSecret(row)).toBe(secret);
  vi.unstubAllEnvs();
});
