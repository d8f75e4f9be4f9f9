import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSession,
  makeSignedInUser,
  makeTenant,
  makeUser,
} from "@/lib/setup/testing/factories";

const send = testServer();
const password = "a password of some length";
let tenant: string;

beforeAll(async () => {
  tenant = await makeTenant();
});

const signedIn = () => makeSignedInUser(tenant, { password, roleIds: ["portal.default"] });

test("200: the user's own sessions, the current one marked, with references instead of session ids", async () => {
  const { userId, headers, sessionId, sessionRef } = await signedIn();
  const other = await makeSession(tenant, userId, {
    createdAt: new Date(Date.now() - 60_000),
    agent: "curl",
  });
  const answer = await send("GET /v1/user/sessions", { headers });
  expect(answer.body).toMatchObject([
    { ref: sessionRef, current: true },
    { ref: other.sessionRef, current: false, agent: "curl" },
  ]);
  expect(answer.text).not.toContain(sessionId);
});

test("a page at a time, newest first, like every list; 400 for an invalid limit or cursor", async () => {
  const { userId, headers } = await signedIn();
  const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000);
  for (const second of [1, 2, 2, 3])
    await makeSession(tenant, userId, { createdAt: at(second), agent: `at ${second}` });
  const seen: string[] = [];
  for (let path = "/v1/user/sessions?limit=2"; path; ) {
    const answer = await send(`GET ${path}`, { headers });
    expect(answer.body.length).toBeLessThanOrEqual(2);
    seen.push(...answer.body.map(({ agent }: { agent: string }) => agent));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
  }
  expect(seen.slice(1)).toEqual(["at 3", "at 2", "at 2", "at 1"]);
  expect(seen).toHaveLength(5);
  for (const query of ["limit=0", "limit=201", "cursor=abc"])
    expect((await send(`GET /v1/user/sessions?${query}`, { headers })).status, query).toBe(400);
});

test("204: an ended session is rejected at once; 404 for another user's", async () => {
  const { userId, headers } = await signedIn();
  const other = await makeSession(tenant, userId);
  const stranger = await signedIn();
  expect((await send("GET /v1/user/session", { headers: other.headers })).status).toBe(200);
  expect((await send(`DELETE /v1/user/sessions/${other.sessionRef}`, { headers })).status).toBe(
    204,
  );
  expect((await send("GET /v1/user/session", { headers: other.headers })).status).toBe(401);
  expect((await send(`DELETE /v1/user/sessions/${stranger.sessionRef}`, { headers })).status).toBe(
    404,
  );
});

describe("PUT /v1/user/password", () => {
  const change = (headers: Record<string, string>, body: unknown) =>
    send("PUT /v1/user/password", { headers, body });

  test("204: the new password works, the old one does not, and the other sessions end", async () => {
    const { userId, login, headers } = await signedIn();
    const other = await makeSession(tenant, userId);
    expect(
      (await change(headers, { current: password, password: "an even longer password" })).status,
    ).toBe(204);
    const statuses = await Promise.all(
      [headers, other.headers].map(
        async (one) => (await send("GET /v1/user/session", { headers: one })).status,
      ),
    );
    expect(statuses).toEqual([200, 401]);
    const signIn = (given: string) =>
      send("POST /v1/user/session-login", {
        headers: { "X-Service-Tenant": tenant },
        body: { login, tenant, password: given },
      });
    expect([
      (await signIn(password)).status,
      (await signIn("an even longer password")).status,
    ]).toEqual([401, 200]);
  });

  test.each([
    ["/current", { current: "wrong", password: "an even longer password" }],
    ["/password", { current: password, password: "too short" }],
    ["/password", { current: password, password: "x".repeat(129) }],
    ["/password", { current: password, password: "passwordpassword" }],
    ["/password", { current: password, password }],
  ])("400 at %s: %j", async (reason, body) => {
    const { headers } = await signedIn();
    const answer = await change(headers, body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("401: never by a key", async () => {
    const { userId } = await signedIn();
    const { headers } = await makeApiKey(tenant, userId);
    expect(
      (await change(headers, { current: password, password: "an even longer password" })).status,
    ).toBe(401);
  });
});

test("GET /v1/user/session names user, tenant, site, roles and effective permissions", async () => {
  const { userId } = await makeUser(tenant, { sites: { one: ["portal.pim.mgmt"] } });
  const { headers } = await makeSession(tenant, userId, { siteId: "one" });
  const { body } = await send("GET /v1/user/session", { headers });
  expect(body).toMatchObject({
    tenant,
    site: "one",
    permissions: ["preview.configuration.read", "preview.configuration.write"],
  });
  const elsewhere = await send("GET /v1/user/session", {
    headers: { ...headers, "X-Service-Site": "two" },
  });
  expect(elsewhere.body).toMatchObject({ site: "two", permissions: [] });
});

test("GET /v1/user/roles: the 24 roles with what each permits", async () => {
  const { headers } = await signedIn();
  const { body } = await send("GET /v1/user/roles", { headers });
  expect(body).toHaveLength(24);
  expect(body.find((role: { id: string }) => role.id === "portal.users.mgmt")).toMatchObject({
    name: "Portals Users Management",
    reserved: false,
  });
});
