import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { countRequest, rateLimits } from "@/lib/access/rate-limits";
import { newIdAt } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { provisioningRequests, provisioningTokens } from "@/lib/database/schema/schema";
import {
  ada,
  callerOf,
  okta,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import {
  connect,
  provisioningWorld,
} from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** What a connection's token gives access to, and how its requests are validated. */

const send = testServer();
const world = provisioningWorld(send);

const other = async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  return { tenant, ...(await connect(send, headers)) };
};

describe("tokens", () => {
  test("401 without a token, with another connection's, a session, a key, and an expired one", async () => {
    const foreign = await other();
    const second = await connect(send, world.headers);
    const key = await makeApiKey(world.tenant, world.adminId);
    const wrong = [
      ...["", "svn_x", `svn_${"a".repeat(43)}`, foreign.token, second.token, key.apiKey],
      world.headers["X-Service-Session-Id"] ?? "",
    ];
    for (const token of wrong) {
      const answer = await callerOf(send, { path: world.path, token })("GET /Users");
      expect([token, answer.status]).toEqual([token, 401]);
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
      expect(answer.body).toMatchObject({ status: "401" });
    }
    const rotate = (body?: object) =>
      send(`POST /v1/tenant/connections/${world.id}/provisioning-token`, {
        headers: world.headers,
        ...(body && { body }),
      });
    const { token } = (await rotate()).body;
    for (const valid of [token, world.token])
      expect((await callerOf(send, { ...world, token: valid })("GET /Users")).status).toBe(200);
    const latest = (await rotate({ overlap: "PT0S" })).body.token;
    for (const ended of [token, world.token])
      expect((await callerOf(send, { ...world, token: ended })("GET /Users")).status).toBe(401);
    expect((await callerOf(send, { ...world, token: latest })("GET /Users")).status).toBe(200);
  });

  test("401 once the connection is deleted", async () => {
    await send(`DELETE /v1/tenant/connections/${world.id}`, { headers: world.headers });
    expect((await callerOf(send, world)("GET /Users")).status).toBe(401);
    const ofTenant = eq(provisioningTokens.tenantId, world.tenant);
    expect(await db().select().from(provisioningTokens).where(ofTenant)).toEqual([]);
  });

  test("400 for a header with another tenant; the header is optional", async () => {
    const call = callerOf(send, world);
    const { tenant } = await other();
    const answer = await call("GET /Users", undefined, { "X-Service-Tenant": tenant });
    expect(answer.body).toMatchObject({ status: "400" });
    const same = { "X-Service-Tenant": world.tenant };
    expect((await call("GET /Users", undefined, same)).status).toBe(200);
  });

  test("the token gives access to no other operation of the API", async () => {
    const headers = { Authorization: `Bearer ${world.token}`, "X-Service-Tenant": world.tenant };
    expect((await send("GET /v1/user/list", { headers })).status).toBe(401);
  });

  test("429 with Retry-After for a connection that exceeds its rate limit", async () => {
    vi.stubEnv("RATE_LIMITS", "on");
    const { quota } = rateLimits.provisioning;
    await countRequest("provisioning", `${world.tenant} ${world.id}`, 1, quota);
    const answer = await callerOf(send, world)("GET /Users");
    expect(answer.body).toMatchObject({ status: "429" });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    vi.unstubAllEnvs();
  });
});

describe("requests", () => {
  test.each([
    ["404 for an unknown resource", 404, "GET /Things"],
    ["404 below a person", 404, "GET /Users/a/b"],
    ["404 for the root", 404, "GET "],
    ["405 for a method that a list does not have", 405, "DELETE /Users"],
    ["405 for a method that a person does not have", 405, "POST /Users/a"],
    ["405 for a change of what is discovered", 405, "POST /Schemas"],
  ])("%s, in SCIM format", async (_, status, operation) => {
    const answer = await callerOf(send, world)(operation);
    expect(answer.body).toMatchObject({ status: String(status) });
    expect(answer.headers.get("content-type")).toBe("application/scim+json");
    if (status === 405) expect(answer.headers.get("allow")).not.toBeNull();
  });

  test.each([
    ["/Users", "GET, HEAD, POST, OPTIONS"],
    ["/Groups/x", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["/Schemas", "GET, HEAD, OPTIONS"],
  ])("204 for OPTIONS of %s, with its methods and without a token", async (path, allow) => {
    const answer = await send(`OPTIONS ${world.path}${path}`, {});
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, allow]);
  });

  test("the requested media type, also for errors", async () => {
    const call = callerOf(send, world);
    for (const operation of ["GET /Users", "GET /Users/x"]) {
      const answer = await call(operation, undefined, { Accept: "application/json" });
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  test("415 for another media type, 406 for one that is not available, 413 for a large body, 400 for invalid JSON", async () => {
    const call = callerOf(send, world);
    const body = { userName: "x" };
    const csv = await call("POST /Users", body, { "Content-Type": "text/csv" });
    expect(csv.body).toMatchObject({ status: "415" });
    expect((await call("GET /Users", undefined, { Accept: "text/html" })).status).toBe(406);
    const large = await call("POST /Users", { userName: "x".repeat(1024 * 1024) });
    expect(large.body).toMatchObject({ status: "413" });
    const headers = {
      Authorization: `Bearer ${world.token}`,
      "Content-Type": "application/scim+json",
    };
    const broken = await send(`POST ${world.path}/Users`, { headers, raw: "{" });
    expect(broken.body).toMatchObject({ status: "400", scimType: "invalidSyntax" });
    const list = await call("POST /Users", []);
    expect(list.body).toMatchObject({ status: "400", scimType: "invalidSyntax" });
    const plain = await call("POST /Users", body, { "Content-Type": "application/json" });
    expect(plain.body).toMatchObject({ status: "400", scimType: "invalidValue" });
  });

  test.each(["/ServiceProviderConfig", "/ResourceTypes", "/ResourceTypes/User", "/Schemas"])(
    "200 for %s, which describes the implementation",
    async (path) => {
      const answer = await callerOf(send, world)(`GET ${path}`);
      expect([answer.status, answer.body.schemas.length]).toEqual([200, 1]);
    },
  );

  test("the log has each request with its outcome, no data of the user, and no requests of another connection", async () => {
    const client = okta(send, world);
    const { id } = (await client.create(ada)).body;
    await client.create(ada);
    const second = await connect(send, world.headers);
    const path = `GET /v1/tenant/connections/${world.id}/provisioning-requests`;
    const { body, text } = await send(path, { headers: world.headers });
    expect(body).toMatchObject([
      { method: "POST", path: "/Users", status: 409, scimType: "uniqueness" },
      { method: "POST", path: "/Users", status: 201 },
    ]);
    for (const secret of [ada.userName, ada.familyName, world.token, id])
      expect(text).not.toContain(secret);
    const row = { ...{ tenantId: world.tenant, connectionId: world.id }, requestId: "x" };
    const former = { occurredAt: new Date(), method: "GET", path: "/Users", status: 200 };
    const many = Array.from({ length: 1005 }, (_, n) => ({
      ...{ ...row, ...former, entryId: newIdAt("prv", n), durationMs: 1 },
    }));
    await db().insert(provisioningRequests).values(many);
    await callerOf(send, world)("GET /Schemas");
    const isHere = eq(provisioningRequests.tenantId, world.tenant);
    const kept = await db().select().from(provisioningRequests).where(isHere);
    expect(kept).toHaveLength(1000);
    expect(kept.filter(({ status }) => status === 201)).toHaveLength(1);
    const none = `GET /v1/tenant/connections/${second.id}/provisioning-requests`;
    expect((await send(none, { headers: world.headers })).body).toEqual([]);
    const first = await send(`${path}?limit=1`, { headers: world.headers });
    expect(first.headers.get("link")).toContain('rel="next"');
  });
});
