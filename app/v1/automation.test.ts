import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi } from "@/lib/catalogue/openapi";
import { namedOperations, operations } from "@/lib/catalogue/operations";
import { testServer } from "@/lib/http/testing/test-server";
import { type Endpoint, methodOf, pathOf, sessionOnlyReasons } from "@/lib/protocol/endpoint";
import { type Permission, permissions } from "@/lib/protocol/permissions";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const service = { kind: "service" } as const;
const naming = operations.filter((one) => one.keyRule?.mustNamePermission);
const forPrograms = naming.filter((one) => one.keyRule?.mustBeOfServiceUser);

let tenant: string;
let session: Headers;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  session = (await makeSession(tenant, userId)).headers;
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

/** A key of an administrator: a program, unless `row` says otherwise. */
async function keyOf(given: Permission[] | null, row: object = service) {
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], row });
  const { apiKeyId, headers } = await makeApiKey(tenant, userId, { permissions: given });
  return { userId, apiKeyId, headers };
}

/** Requests a missing resource, with a body without fields: a caller with the permission gets 200, 400, 404 or 428. */
function attempt(declared: Endpoint, headers: Headers) {
  const path = pathOf(declared)
    .replace("{site}", "one")
    .replace(/\{\w+\}/g, "x");
  return send(`${methodOf(declared)} ${path}`, {
    headers: { ...headers, "X-Service-Site": "one" },
    ...(declared.body ? { body: {} } : {}),
  });
}

async function explain(declared: Endpoint, apiKeyId: string) {
  const { operation } = declared;
  const body = { apiKeyId, operation, site: "one" };
  return (await send("POST /v1/access/explain", { headers: session, body })).body;
}

/** The response of each operation to the key, and whether the explanation matches. */
async function answers(declared: readonly Endpoint[], key: { apiKeyId: string; headers: Headers }) {
  const found: Record<string, string> = {};
  for (const one of declared) {
    const { status, body } = await attempt(one, key.headers);
    const isAccepted = ![401, 403].includes(status);
    found[one.operation] = isAccepted ? "accepted" : `${status} ${body.code} ${body.reason}`;
    expect((await explain(one, key.apiKeyId)).allowed, one.operation).toBe(isAccepted);
  }
  return found;
}

const all = (declared: readonly Endpoint[], say: (one: Endpoint) => string) =>
  Object.fromEntries(declared.map((one) => [one.operation, say(one)]));

describe("operations that accept a key with the permission", () => {
  test("there are some for programs only, and each has a permission that a key can have", () => {
    expect(forPrograms.length).toBeGreaterThan(25);
    for (const { permission } of naming) expect(permissions).toContain(permission);
  });

  test("accept the key of a service user that has the permission", async () => {
    const key = await keyOf([...permissions]);
    expect(await answers(naming, key)).toEqual(all(naming, () => "accepted"));
  });

  test("403: an unrestricted key, even of an owner with every permission", async () => {
    const refusal = (one: Endpoint) => `403 auth.api-key-unrestricted ${one.permission}`;
    expect(await answers(naming, await keyOf(null))).toEqual(all(naming, refusal));
  });

  test("403: a key with another permission", async () => {
    const key = await keyOf(["preview.configuration.read"]);
    const refusal = (one: Endpoint) => `403 auth.api-key-restricted ${one.permission}`;
    expect(await answers(naming, key)).toEqual(all(naming, refusal));
  });

  test("403: a user's key where only programs may use one, although it has the permission", async () => {
    const key = await keyOf([...permissions], {});
    const verdict = (one: Endpoint) =>
      one.keyRule?.mustBeOfServiceUser
        ? `403 auth.api-key-of-person ${one.permission}`
        : "accepted";
    expect(await answers(naming, key)).toEqual(all(naming, verdict));
  });

  test("403: once the owner has lost the permission", async () => {
    const key = await keyOf([...permissions]);
    expect((await send("GET /v1/tenant", { headers: key.headers })).status).toBe(200);
    const path = `/v1/user/${key.userId}/roles`;
    const etag = (await send(`GET ${path}`, { headers: session })).headers.get("etag") ?? "";
    const changed = await send(`PUT ${path}`, {
      headers: { ...session, "If-Match": etag },
      body: { roleIds: ["portal.default"] },
    });
    expect(changed.status, changed.text).toBe(200);
    const refusal = (one: Endpoint) => `403 auth.permission-missing ${one.permission}`;
    expect(await answers(naming, key)).toEqual(all(naming, refusal));
  });
});

describe("a key has only the permissions that it was given", () => {
  const setRoles = async (userId: string, headers: Headers, roleIds: string[]) => {
    const path = `/v1/user/${userId}/roles`;
    const read = await send(`GET ${path}`, { headers });
    expect(read.status, read.text).toBe(200);
    return send(`PUT ${path}`, {
      headers: { ...headers, "If-Match": read.headers.get("etag") ?? "" },
      body: { roleIds },
    });
  };

  test("403 user.oneself: it extends the roles neither of its owner nor of a user who knows its secret", async () => {
    const [robot, maker] = [
      await makeUser(tenant, { roleIds: ["portal.users.mgmt"], row: service }),
      await makeUser(tenant, { roleIds: ["portal.users.mgmt"] }),
    ];
    const row = { permissions: ["user.manage" as const], knownTo: [maker.userId] };
    const { headers } = await makeApiKey(tenant, robot.userId, row);
    for (const { userId } of [robot, maker]) {
      const raised = await setRoles(userId, headers, ["portal.users.mgmt", "portal.pim.mgmt"]);
      expect([raised.status, raised.body.code]).toEqual([403, "user.oneself"]);
    }
    const other = await makeUser(tenant);
    const granted = await setRoles(other.userId, headers, ["portal.pim.mgmt"]);
    expect([granted.status, granted.body.code]).toEqual([403, "role.not-grantable"]);
    expect((await setRoles(other.userId, headers, ["portal.default"])).status).toBe(200);
  });

  test("403 role.not-grantable: it grants no role of whose permissions it has only a part, nor by an invitation", async () => {
    const { headers } = await keyOf(["user.manage"]);
    const { userId } = await makeUser(tenant);
    for (const role of ["tenant.admin", "portal.users.mgmt"]) {
      const granted = await setRoles(userId, headers, [role]);
      expect([granted.status, granted.body.code]).toEqual([403, "role.not-grantable"]);
      const body = {
        login: `new-${role}`,
        name: "New",
        emailAddress: "new@example.com",
        roles: { roleIds: [role] },
      };
      const invited = await send("POST /v1/user/invitations", { headers, body });
      expect([invited.status, invited.body.code]).toEqual([403, "role.not-grantable"]);
    }
  });

  test("403: it cannot lock a system user, an administrator or its owner", async () => {
    const robot = await keyOf(["user.manage"]);
    const lock = (userId: string) =>
      send(`POST /v1/user/${userId}/lock`, { headers: robot.headers, body: { reason: "test" } });
    const system = await makeUser(tenant, { row: { isSystem: true } });
    expect((await lock(system.userId)).body.code).toBe("user.system");
    const admin = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    expect((await lock(admin.userId)).body.code).toBe("user.admin-only");
    const every = await keyOf([...permissions]);
    const oneself = await send(`POST /v1/user/${every.userId}/lock`, {
      headers: every.headers,
      body: { reason: "test" },
    });
    expect(oneself.body.code).toBe("user.oneself");
    const person = await makeUser(tenant);
    expect((await lock(person.userId)).status).toBe(200);
  });

  test("201: an invitation created with a key returns no link, one created in a session does", async () => {
    const robot = await keyOf(["user.manage"]);
    const invited = await send("POST /v1/user/invitations", {
      headers: robot.headers,
      body: {
        login: "invited",
        name: "New",
        emailAddress: "new@example.com",
        roles: { roleIds: ["portal.default"] },
      },
    });
    expect([invited.status, invited.body.url, invited.body.token]).toEqual([201, "", ""]);
    const again = `POST /v1/user/${invited.body.id}/password-reset`;
    expect((await send(again, { headers: robot.headers })).status).toBe(401);
    const link = await send(again, { headers: session });
    const accepted = await send("POST /v1/user/invitations/accept", {
      headers: { "X-Service-Tenant": tenant },
      body: { token: link.body.token, password: "a longer secret text 4711" },
    });
    expect(accepted.status).toBe(200);
  });
});

describe("operations for sessions only", () => {
  const alone = operations.filter((one) => one.credentials.join() === "session");

  test("each states why, and those with a permission are forbidden for keys", () => {
    for (const { operation, permission, keyRule } of alone) {
      expect(keyRule?.noneBecause, operation).toBeDefined();
      if (permission !== undefined && permission !== "any-role")
        expect(
          [
            ...["auditStream", "connection", "keys", "passwordLink", "secondFactors"],
            ...["securityPolicy", "emergencyAdministrators"],
          ],
          operation,
        ).toContain(keyRule?.noneBecause);
    }
    for (const { operation, credentials, keyRule } of operations) {
      const ofUsers = credentials.filter((kind) => kind !== "share");
      if (keyRule?.noneBecause) expect(ofUsers, operation).toEqual(["session"]);
    }
  });

  test("401: the response and the documentation state the reason", async () => {
    const { headers } = await keyOf([...permissions]);
    const { paths } = openApi(namedOperations, "https://gatehouse.test") as {
      paths: Record<string, Record<string, { description: string }>>;
    };
    for (const one of alone) {
      const reason = sessionOnlyReasons[one.keyRule?.noneBecause ?? "ownAccount"];
      const { status, body, headers: sent } = await attempt(one, headers);
      expect([status, body.code], one.operation).toEqual([401, "auth.scheme-not-accepted"]);
      expect(body.detail).toBe(`This operation accepts only: Session, because ${reason}.`);
      expect(sent.get("www-authenticate")).toBe('Session realm="gatehouse"');
      const described = paths[pathOf(one)]?.[methodOf(one).toLowerCase()]?.description;
      expect(described, one.operation).toContain(reason);
    }
  });
});
