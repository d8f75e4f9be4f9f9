import { beforeAll, describe, expect, test } from "vitest";
import { countRequest } from "@/lib/access/rate-limits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let userId: string;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
});

const key = async (row: Parameters<typeof makeApiKey>[2]) => makeApiKey(tenant, userId, row);

describe("a key that is restricted to permissions", () => {
  test.each([
    ["GET /v1/user/profile", "user.read"],
    ["GET /v1/user/profile/api-keys", "api-key.manage"],
    ["GET /v1/user/profile/api-keys/{own}", "api-key.manage"],
  ] as const)("403: %s needs %s", async (operation, permission) => {
    const { headers, apiKeyId } = await key({ permissions: ["preview.configuration.read"] });
    const answer = await send(operation.replace("{own}", apiKeyId), { headers });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "auth.api-key-restricted",
      permission,
    ]);
    const fitting = await key({ permissions: [permission] });
    const path = operation.replace("{own}", fitting.apiKeyId);
    expect((await send(path, { headers: fitting.headers })).status).toBe(200);
  });

  test("200: it can read its own session and permissions", async () => {
    const { headers } = await key({ permissions: ["preview.configuration.read"] });
    const answer = await send("GET /v1/user/session", { headers });
    expect([answer.status, answer.body.permissions]).toEqual([200, ["preview.configuration.read"]]);
  });

  test("403: the error names the key's restriction, not a role that its owner lacks", async () => {
    const { headers } = await key({ permissions: ["preview.configuration.read"] });
    const answer = await send("GET /v1/user/list", { headers });
    expect(answer.body).toMatchObject({ code: "auth.api-key-restricted", reason: "user.read" });
    expect(answer.body.detail).not.toContain("portal.");
  });

  test("403: a permission that the owner lacks too is reported as a missing role", async () => {
    const low = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { headers } = await makeApiKey(tenant, low.userId, { permissions: ["user.read"] });
    const answer = await send("GET /v1/user/list", { headers });
    expect(answer.body).toMatchObject({ code: "auth.permission-missing", reason: "user.read" });
  });

  test("403: the error says that a key of one site cannot act in the whole tenant", async () => {
    const { headers } = await key({ siteIds: ["one"] });
    const at = { ...headers, "X-Service-Site": "one" };
    const answer = await send("GET /v1/audit/events", { headers: at });
    expect(answer.body).toMatchObject({ code: "auth.api-key-restricted", reason: "audit.read" });
    expect(answer.body.detail).toContain("(one)");
  });
});

describe("challenges", () => {
  const challenge = async (operation: string, headers: Record<string, string>) =>
    (await send(operation, { headers })).headers.get("www-authenticate");

  test("401: errors name the accepted schemes, and nothing else", async () => {
    const nobody = { "X-Service-Tenant": tenant };
    expect(await challenge("GET /v1/user/sessions", nobody)).toBe('Session realm="gatehouse"');
    expect(await challenge("GET /v1/user/list", nobody)).toBe(
      'Session realm="gatehouse", ApiKey realm="gatehouse", Bearer realm="gatehouse"',
    );
    expect(await challenge("POST /v1/user/sandboxes", { ...nobody, Authorization: "x" })).toBe(
      'Session realm="gatehouse"',
    );
  });

  test("403: the error of an expired session says to refresh, that of an expired key does not", async () => {
    const past = new Date(Date.now() - 1000);
    const { headers } = await key({ validTo: past });
    expect(await challenge("GET /v1/user/list", headers)).toBe('ApiKey realm="gatehouse"');
    const session = await makeSession(tenant, userId, { expiresAt: past });
    expect(await challenge("GET /v1/user/list", session.headers)).toBe(
      'Session realm="gatehouse", error="invalid_token"',
    );
  });

  test("403: the error of a lock has the user's id, not a permission", async () => {
    const locked = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { isLocked: true } });
    const { headers } = await makeApiKey(tenant, locked.userId);
    expect((await send("GET /v1/user/list", { headers })).body).toMatchObject({
      code: "user.locked",
      reason: locked.userId,
    });
  });
});

describe("a management bearer", () => {
  test("401: only one spelling of it is accepted", async () => {
    const { headers } = await makeSession(tenant, userId);
    const { accessToken } = (await send("POST /v1/user/portal-token", { headers })).body;
    const status = async (token: string) =>
      (
        await send("GET /v1/user/list", {
          headers: { "X-Service-Tenant": tenant, Authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await status(accessToken)).toBe(200);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(accessToken.at(-1));
    const [head, payload] = accessToken.split(".");
    for (const other of [
      // Unused bits of the last character.
      `${accessToken.slice(0, -1)}${alphabet[last ^ 1]}`,
      `${accessToken}=`,
      `${accessToken}.`,
      `${head}=.${payload}.${accessToken.split(".")[2]}`,
      accessToken.replaceAll("-", "+").replaceAll("_", "/").concat("="),
      `${accessToken}\u00a0`,
    ])
      expect(await status(encodeURI(other) === other ? other : `${accessToken}%`), other).toBe(401);
  });
});

describe("one user's rate", () => {
  test("429: six keys of one user do not use up the tenant's limit", async () => {
    const own = await makeTenant();
    const low = await makeUser(own, { roleIds: ["portal.default"] });
    const admin = await makeUser(own, { roleIds: ["tenant.admin"] });
    const session = await makeSession(own, admin.userId);
    const keys = await Promise.all(Array.from({ length: 6 }, () => makeApiKey(own, low.userId)));
    // Leaves 60 of the minute's requests, so that few have to be sent.
    await countRequest("user", `${own} ${low.userId}`, 1, 2940);
    const reasons = new Set<string>();
    let allowed = 0;
    for (const { headers } of keys) {
      const answers = await Promise.all(
        Array.from({ length: 11 }, () => send("GET /v1/user/session", { headers })),
      );
      allowed += answers.filter(({ status }) => status === 200).length;
      for (const { body, status } of answers) if (status === 429) reasons.add(body.reason);
    }
    expect([allowed, [...reasons]]).toEqual([60, ["user"]]);
    expect((await send("GET /v1/user/list", { headers: session.headers })).status).toBe(200);
    const other = await makeApiKey(own, admin.userId);
    expect((await send("GET /v1/user/list", { headers: other.headers })).status).toBe(200);
  });
});

describe("a leak report", () => {
  test("202: it takes the same time for unknown, live and suspended keys", async () => {
    const times = async (apiKey: string) => {
      const since = performance.now();
      const { status } = await send("POST /v1/user/api-keys/report-leak", { body: { apiKey } });
      expect(status).toBe(202);
      return performance.now() - since;
    };
    const live = await key({});
    const kinds = [live.apiKey, live.apiKey, "unknown", (await key({})).apiKey.slice(0, -1)];
    for (const apiKey of kinds) expect(await times(apiKey)).toBeGreaterThanOrEqual(249);
    const answer = await send("GET /v1/user/session", { headers: live.headers });
    expect(answer.body.code).toBe("auth.api-key-suspended");
  });
});
