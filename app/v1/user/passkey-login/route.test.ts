import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { secondFactors, sessions, users } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  type Deviation,
  newAuthenticator,
} from "@/lib/features/sessions/second-factors/testing/authenticator";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { addPasskey, openAt } from "@/lib/setup/testing/passkeys";

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;
let device: ReturnType<typeof newAuthenticator>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  ({ made: device } = await addPasskey(send, tenant, userId));
});

const optionsAt = async (at = tenant) =>
  (
    await send("POST /v1/user/passkey-login/options", {
      headers: { "X-Service-Tenant": at },
      body: { tenant: at },
    })
  ).body;
const enter = (passkey: object, at = tenant, more: object = {}) =>
  send("POST /v1/user/passkey-login", {
    headers: { "X-Service-Tenant": at },
    body: { tenant: at, passkey, ...more },
  });
const signedIn = async (given: Deviation = {}) => enter(device.get(await optionsAt(), given));
const sessionRows = () => db().select().from(sessions).where(eq(sessions.tenantId, tenant));
const entries = async (action: string) =>
  (await trailOf(tenant)).filter((entry) => entry.action === action);
const setUser = (set: Partial<typeof users.$inferInsert>) =>
  db()
    .update(users)
    .set(set)
    .where(and(eq(users.tenantId, tenant), eq(users.userId, userId)));

describe("options", () => {
  test("200 reveals nothing: the same for an unknown tenant", async () => {
    const known = await optionsAt();
    const unknown = await optionsAt("no-such-tenant");
    expect(known).toMatchObject({ allowCredentials: [], userVerification: "required" });
    expect({ ...unknown, challenge: "" }).toEqual({ ...known, challenge: "" });
    expect(unknown.challenge).toHaveLength(known.challenge.length);
  });

  test("400 for another tenant in the body", async () => {
    const headers = { "X-Service-Tenant": tenant };
    for (const [path, body] of [
      ["/options", { tenant: "other" }],
      ["", { tenant: "other", passkey: device.get(await optionsAt()) }],
    ] as const)
      expect((await send(`POST /v1/user/passkey-login${path}`, { headers, body })).body.code).toBe(
        "tenant.mismatch",
      );
  });
});

describe("200", () => {
  test("the passkey signs in without a password; session, list and audit trail record how and when", async () => {
    const answer = await signedIn();
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["sessionId"]);
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": answer.body.sessionId };
    const { body } = await send("GET /v1/user/sessions", { headers });
    expect(body[0].authenticatedBy).toEqual(["passkey"]);
    const factors = await send("GET /v1/user/second-factors", { headers });
    expect(factors.body[0].lastUsedAt).toBeDefined();
    expect((await entries("session.created")).at(-1)?.changes).toMatchObject({
      authenticatedBy: { after: "passkey" },
    });
  });

  test("at a site of the tenant; 400 for an unknown site", async () => {
    expect((await enter(device.get(await optionsAt()), tenant, { site: "one" })).status).toBe(200);
    const answer = await enter(device.get(await optionsAt()), tenant, { site: "nowhere" });
    expect(answer.body.code).toBe("site.unknown");
  });

  test("a synced passkey, whose counter stays at 0, creates no notice", async () => {
    const eve = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { made } = await addPasskey(
      send,
      tenant,
      eve.userId,
      newAuthenticator({ isSynced: true }),
    );
    for (let n = 0; n < 2; n += 1)
      expect((await enter(made.get(await optionsAt()))).status).toBe(200);
    expect(await entries("user.passkey-count-fell")).toEqual([]);
  });

  test("a decreased counter signs in and creates a notice, each time", async () => {
    expect((await signedIn({ count: 9 })).status).toBe(200);
    expect((await signedIn({ count: 5 })).status).toBe(200);
    expect((await signedIn({ count: 9 })).status).toBe(200);
    const entriesOfFalls = await entries("user.passkey-count-fell");
    expect(entriesOfFalls.map(({ changes }) => changes.signatures)).toEqual([
      { before: 9, after: 5 },
      { before: 9, after: 9 },
    ]);
    const { headers } = await openAt(tenant, userId);
    const { body } = await send("GET /v1/user/notices", { headers });
    expect(body.map(({ kind }: { kind: string }) => kind)).toContain("passkey-count-fell");
  });
});

describe("401 auth.passkey-failed", () => {
  test.each<[string, Deviation]>([
    ["at another origin", { origin: "https://evil.example" }],
    ["for another host", { host: "evil.example" }],
    ["in a frame of another page", { crossOrigin: true }],
    ["without the person verified", { isVerified: false }],
    ["by another key", { isForged: true }],
    ["for a new passkey", { type: "webauthn.create" }],
    ["with the handle of somebody else", { userHandle: "AAAA" }],
  ])("for an answer made %s", async (_, given) => {
    const answer = await signedIn(given);
    expect([answer.status, answer.body.code]).toEqual([401, "auth.passkey-failed"]);
  });

  test("for a challenge of another tenant, of another use, of no one, or an expired one", async () => {
    const { headers } = await openAt(tenant, userId);
    const added = await send("POST /v1/user/passkeys/options", { headers });
    const own = Buffer.alloc(52, 7).toString("base64url");
    const { challenge: others } = await optionsAt(await makeTenant());
    for (const challenge of [others, added.body.challenge, own, "AAAA"])
      expect((await enter(device.get({ challenge }))).status).toBe(401);
    const { challenge } = await optionsAt();
    const changed = Buffer.from(challenge, "base64url");
    changed.writeUInt32BE(changed.readUInt32BE(16) + 60, 16);
    expect((await enter(device.get({ challenge: changed.toString("base64url") }))).status).toBe(
      401,
    );
  });

  test("for a passkey of another tenant, a removed one, and one of another host", async () => {
    const other = await makeTenant();
    const eve = await makeUser(other, { roleIds: ["portal.default"] });
    const { made } = await addPasskey(send, other, eve.userId);
    expect((await enter(made.get(await optionsAt()))).status).toBe(401);
    const own = await addPasskey(send, tenant, userId);
    const removal = await send(`DELETE /v1/user/second-factors/${own.id}`, {
      headers: own.headers,
    });
    expect(removal.status).toBe(204);
    expect((await enter(own.made.get(await optionsAt()))).status).toBe(401);
    await db()
      .update(secondFactors)
      .set({ rpId: "former.example" })
      .where(eq(secondFactors.tenantId, tenant));
    expect((await signedIn()).status).toBe(401);
    // A process that started on this store afterwards would reject its address.
    await db().delete(secondFactors).where(eq(secondFactors.tenantId, tenant));
  });

  test("for a reused response: of 50 concurrent uses one opens a session", async () => {
    const before = (await sessionRows()).length;
    const answered = device.get(await optionsAt());
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(answered)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // 503 where the server has no capacity for so many at once.
    expect(statuses.filter((status) => ![200, 401, 503].includes(status))).toEqual([]);
    expect(await sessionRows()).toHaveLength(before + 1);
    expect(await entries("user.passkey-count-fell")).toEqual([]);
  });

  test("for a challenge that a second factor used, and vice versa", async () => {
    const challengeOf = async () =>
      (
        await send("POST /v1/user/session-login", {
          headers: { "X-Service-Tenant": tenant },
          body: { login: "ann", tenant, password },
        })
      ).body.reason;
    const finish = (challenge: string, passkey: object) =>
      send("POST /v1/user/session-login/second-factor", {
        headers: { "X-Service-Tenant": tenant },
        body: { challenge, passkey },
      });
    const first = device.get(await optionsAt());
    const finished = await finish(await challengeOf(), first);
    expect(finished.status, finished.text).toBe(200);
    expect((await enter(first)).status).toBe(401);
    const second = device.get(await optionsAt());
    expect((await enter(second)).status).toBe(200);
    expect((await finish(await challengeOf(), second)).body.code).toBe("auth.second-factor-failed");
    expect((await sessionRows()).map((row) => row.authenticatedBy)).toContain("password passkey");
  });
});

describe("403: a valid passkey of a user who may not sign in", () => {
  test.each<[string, Partial<typeof users.$inferInsert>]>([
    ["user.locked", { isLocked: true }],
    ["user.deactivated", { state: "deactivated" }],
    ["user.no-role", { grants: "" }],
    ["auth.password-expired", { passwordExpiresAt: new Date(0) }],
  ])("%s", async (code, set) => {
    await setUser(set);
    expect((await signedIn()).body.code).toBe(code);
  });

  test("nor does one of a user who was reset or erased; sessions end with it", async () => {
    const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, boss.userId);
    const { body } = await signedIn();
    const body2 = { reason: "lost" };
    const reset = await send(`POST /v1/user/${userId}/reset-second-factors`, {
      headers,
      body: body2,
    });
    expect(reset.status, reset.text).toBe(204);
    const own = { "X-Service-Tenant": tenant, "X-Service-Session-Id": body.sessionId };
    expect((await send("GET /v1/user/session", { headers: own })).status).toBe(401);
    expect((await signedIn()).status).toBe(401);
  });
});

test("403 auth.passkey-not-accepted where the policy rejects passkeys; after the password it is a second factor", async () => {
  const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, boss.userId);
  const body = { signIn: { passkeys: "off" } };
  expect((await send("PUT /v1/tenant/security-policy", { headers, body })).status).toBe(200);
  expect((await signedIn()).body.code).toBe("auth.passkey-not-accepted");
  const asked = await send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { login: "ann", tenant, password },
  });
  const proof = { challenge: asked.body.reason, passkey: device.get(await optionsAt()) };
  const finished = await send("POST /v1/user/session-login/second-factor", {
    headers: { "X-Service-Tenant": tenant },
    body: proof,
  });
  expect(finished.status, finished.text).toBe(200);
});
