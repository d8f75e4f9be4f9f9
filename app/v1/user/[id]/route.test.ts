import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: { userId: string; headers: Headers };
let manager: { userId: string; headers: Headers };
let siteManager: { userId: string; headers: Headers };

const signedIn = (given: NewUser, home = tenant) => makeSignedInUser(home, given);

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ login: "admin", roleIds: ["tenant.admin"] });
  manager = await signedIn({ login: "manager", roleIds: ["portal.users.mgmt"] });
  const atOne = await signedIn({ login: "manager-one", sites: { one: ["portal.users.mgmt"] } });
  siteManager = { ...atOne, headers: { ...atOne.headers, "X-Service-Site": "one" } };
});

const act = (verb: string, userId: string, headers: Headers, body?: unknown) =>
  send(`POST /v1/user/${userId}/${verb}`, { headers, ...(body === undefined ? {} : { body }) });
const lock = (userId: string, headers: Headers, body: object = { reason: "left the laptop" }) =>
  act("lock", userId, headers, body);
const trail = async (target: string) =>
  (await send(`GET /v1/audit/events?target=${target}`, { headers: admin.headers })).body;

describe("PATCH /v1/user/{id}", () => {
  test("200: name and e-mail address change, search finds the new ones, and the audit trail has both", async () => {
    const { userId } = await makeUser(tenant, { name: "Before Change" });
    const body = { name: "  Grace Hopper ", emailAddress: "grace@navy.example" };
    const answer = await send(`PATCH /v1/user/${userId}`, { headers: manager.headers, body });
    expect(answer.body).toMatchObject({
      id: userId,
      name: "Grace Hopper",
      emailAddress: "grace@navy.example",
      state: "active",
    });
    const found = await send("GET /v1/user/list?q=grace%40navy", { headers: manager.headers });
    expect(found.body).toMatchObject([{ id: userId }]);
    expect(await trail(userId)).toMatchObject([
      {
        action: "user.updated",
        actor: { id: manager.userId },
        changes: { name: { before: "Before Change", after: "Grace Hopper" } },
      },
    ]);
  });

  test.each([
    [{ name: "" }, "/name"],
    [{ emailAddress: "nobody" }, "/emailAddress"],
    [{ login: "other" }, "/login"],
  ])("400: %j at %s", async (body, reason) => {
    const answer = await send(`PATCH /v1/user/${manager.userId}`, { headers: admin.headers, body });
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("403: a user is changed only in the home tenant", async () => {
    const other = await makeTenant();
    const { userId } = await makeUser(other);
    await makeUser(tenant, { row: { userId, homeTenantId: other }, roleIds: ["portal.default"] });
    const answer = await send(`PATCH /v1/user/${userId}`, {
      headers: admin.headers,
      body: { name: "Mine" },
    });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "user.other-home",
      other,
    ]);
    expect((await act("deactivate", userId, admin.headers)).body.code).toBe("user.other-home");
    expect((await lock(userId, admin.headers)).status).toBe(200);
  });

  test("404: a user of another tenant", async () => {
    const { userId } = await makeUser(await makeTenant());
    expect(
      (await send(`PATCH /v1/user/${userId}`, { headers: admin.headers, body: {} })).status,
    ).toBe(404);
  });
});

describe("lock and unlock", () => {
  test("200: session and key are rejected at once with 403, and work again after unlocking", async () => {
    const target = await signedIn({ roleIds: ["portal.default"] });
    const key = await makeApiKey(tenant, target.userId);
    const use = async () =>
      Promise.all(
        [target.headers, key.headers].map(
          async (headers) => (await send("GET /v1/user/profile", { headers })).status,
        ),
      );
    expect(await use()).toEqual([200, 200]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const locked = await lock(target.userId, manager.headers, { reason: "lost phone", until });
    expect(locked.body).toMatchObject({ lock: true, lockReason: "lost phone", lockedUntil: until });
    expect(await use()).toEqual([403, 403]);
    expect((await act("unlock", target.userId, manager.headers)).body).toMatchObject({
      lock: false,
    });
    expect(await use()).toEqual([200, 200]);
    expect(await trail(target.userId)).toMatchObject([
      { action: "user.unlocked" },
      { action: "user.locked" },
    ]);
  });

  test("a lock with an end expires automatically", async () => {
    const target = await signedIn({ roleIds: ["portal.default"] });
    const until = new Date(Date.now() + 50_000);
    await lock(target.userId, manager.headers, {
      reason: "a moment",
      until: until.toISOString(),
    });
    expect((await send("GET /v1/user/profile", { headers: target.headers })).body.code).toBe(
      "user.locked",
    );
    vi.useFakeTimers({ now: until.getTime() + 100, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await send("GET /v1/user/profile", { headers: target.headers })).status).toBe(200);
  });

  test.each([
    [{}, "/reason"],
    [{ reason: "x", until: "2020-01-01T00:00:00Z" }, "/until"],
  ])("400: %j at %s", async (body, reason) => {
    const { userId } = await makeUser(tenant);
    const answer = await lock(userId, manager.headers, body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("403: never by a user's key", async () => {
    const key = await makeApiKey(tenant, admin.userId);
    expect((await lock(manager.userId, key.headers)).body.code).toBe("auth.api-key-of-person");
  });
});

describe("403: the guards", () => {
  test("only a tenant.admin may change a tenant.admin, at a site as well", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const atSite = await makeUser(tenant, { sites: { one: ["tenant.admin"] } });
    for (const id of [userId, atSite.userId]) {
      for (const verb of ["lock", "unlock", "deactivate", "reactivate"]) {
        const answer = await act(
          verb,
          id,
          manager.headers,
          verb === "lock" ? { reason: "x" } : undefined,
        );
        expect([verb, answer.status, answer.body.code, answer.body.reason]).toEqual([
          verb,
          403,
          "user.admin-only",
          "tenant.admin",
        ]);
      }
    }
    expect((await lock(userId, admin.headers)).status).toBe(200);
  });

  test("nobody can lock or deactivate themselves or a system user", async () => {
    const system = await makeUser(tenant, { row: { isSystem: true } });
    for (const verb of ["lock", "deactivate"]) {
      const body = verb === "lock" ? { reason: "x" } : undefined;
      expect((await act(verb, manager.userId, manager.headers, body)).body.code).toBe(
        "user.oneself",
      );
      expect((await act(verb, system.userId, admin.headers, body)).body.code).toBe("user.system");
    }
  });

  test("a site's manager may change only users of the site who have no roles elsewhere", async () => {
    const here = await makeUser(tenant, {
      roleIds: ["portal.default"],
      sites: { one: ["portal.pim.mgmt"] },
    });
    const there = await makeUser(tenant, { sites: { two: ["portal.pim.mgmt"] } });
    const both = await makeUser(tenant, {
      sites: { one: ["portal.pim.mgmt"], two: ["portal.pim.mgmt"] },
    });
    const statuses = [];
    for (const { userId } of [here, there, both])
      statuses.push((await lock(userId, siteManager.headers)).status);
    expect(statuses).toEqual([200, 404, 403]);
    const elsewhere = await lock(here.userId, { ...siteManager.headers, "X-Service-Site": "two" });
    expect([elsewhere.status, elsewhere.body.reason]).toEqual([403, "user.manage"]);
  });
});

describe("deactivate and reactivate", () => {
  test("200: keys are rejected until the user is active again, sessions end; a user without a password is invited again", async () => {
    const target = await signedIn({
      roleIds: ["portal.default"],
      password: "a password of some length",
    });
    const key = await makeApiKey(tenant, target.userId);
    const profile = (headers: Headers) => send("GET /v1/user/profile", { headers });
    expect((await act("deactivate", target.userId, manager.headers)).body.state).toBe(
      "deactivated",
    );
    expect((await profile(key.headers)).body.code).toBe("user.deactivated");
    expect((await profile(target.headers)).status).toBe(401);
    expect((await act("reactivate", target.userId, manager.headers)).body.state).toBe("active");
    expect((await profile(key.headers)).status).toBe(200);
    expect((await profile(target.headers)).status).toBe(401);
    const invited = await makeUser(tenant, { row: { state: "invited" } });
    await act("deactivate", invited.userId, manager.headers);
    expect((await act("reactivate", invited.userId, manager.headers)).body.state).toBe("invited");
  });
});
