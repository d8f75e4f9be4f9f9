import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { forgetProviders } from "@/lib/features/connections/provider-metadata";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { resetPassword } from "@/lib/features/users/reset-password";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./testing/provider-browser";
import { member, providerWorld } from "./testing/provider-world";

/** A tenant whose users only sign in at its provider, and every recovery when that fails. */

const send = testServer();
const password = "correct horse battery";
const { world, connect, change, browserOf } = providerWorld(send);
const admin = { roleIds: ["tenant.admin"], password };

let connection: { id: string; providerId: string };
let rescuer: Awaited<ReturnType<typeof makeUser>> & { code: (stepsAhead?: number) => string };

const policy = (body: object, headers = world.headers) =>
  send("PUT /v1/tenant/security-policy", { headers, body });
const emergencyOnly = { signIn: { password: "emergency-only" } };

/** Signs an administrator of the tenant in at the provider. */
async function signInAsAdmin() {
  const { userId } = await makeUser(world.tenant, admin);
  await (await browserOf(userId)).signIn(connection.providerId, "ada", { intent: "link" });
  const browser = new ProviderBrowser();
  await browser.signIn(connection.providerId, "ada");
  return { userId, sessionId: (await browser.sessionOf(world.tenant)) ?? "" };
}

async function enforce() {
  const signedIn = await signInAsAdmin();
  const answer = await policy(emergencyOnly);
  expect(answer.status, answer.text).toBe(200);
  return signedIn;
}

beforeEach(async () => {
  connection = await connect({ provisioning: "linked-only" });
  const made = await makeUser(world.tenant, { ...admin, login: "rescue" });
  rescuer = { ...made, code: (await makeFactor(world.tenant, made.userId)).code };
});

const name = (id = rescuer.userId) =>
  send(`PUT /v1/tenant/emergency-administrators/${id}`, { headers: world.headers });
const here = () => ({ "X-Service-Tenant": world.tenant });
const logIn = (login: string, given = password) =>
  send("POST /v1/user/session-login", {
    headers: here(),
    body: { login, tenant: world.tenant, password: given },
  });
const finish = (challenge: string, code: string) =>
  send("POST /v1/user/session-login/second-factor", { headers: here(), body: { challenge, code } });
const rescue = async () => {
  const { body } = await logIn("rescue");
  return finish(String(body.reason), rescuer.code());
};
const refused = "auth.password-not-accepted";

describe("409 sign-in.not-safe", () => {
  test("names the missing requirements, and changes nothing", async () => {
    expect((await policy(emergencyOnly)).body).toMatchObject({
      code: "sign-in.not-safe",
      reason: "connectionSignIn,emergencyAdministrator",
    });
    await name();
    expect((await policy(emergencyOnly)).body.reason).toBe("connectionSignIn");
    await signInAsAdmin();
    await send(`DELETE /v1/tenant/emergency-administrators/${rescuer.userId}`, {
      headers: world.headers,
    });
    expect((await policy(emergencyOnly)).body.reason).toBe("emergencyAdministrator");
    const { body } = await send("GET /v1/tenant/sign-in-safety", { headers: world.headers });
    expect(body).toMatchObject({ connectionSignIn: true, emergencyAdministrator: false });
    await name();
    vi.useFakeTimers({ now: Date.now() + 61 * 60_000, toFake: ["Date"] });
    const { headers } = await makeSession(world.tenant, world.adminId);
    expect((await policy(emergencyOnly, headers)).body.reason).toBe("connectionSignIn");
    vi.useRealTimers();
    expect((await policy(emergencyOnly)).status).toBe(200);
    expect((await policy({ ...emergencyOnly, sessionIdle: "PT5M" })).status).toBe(200);
  });
});

test("403 for a challenge and a reset link created before passwords were restricted", async () => {
  await name();
  const ann = await makeUser(world.tenant, { ...member, login: "ann", password });
  const { code } = await makeFactor(world.tenant, ann.userId);
  const challenge = String((await logIn("ann")).body.reason);
  const made = await send(`POST /v1/user/${ann.userId}/password-reset`, {
    headers: world.headers,
  });
  await enforce();
  expect((await finish(challenge, code())).body.code).toBe(refused);
  const confirm = {
    headers: here(),
    body: { token: made.body.token, password: "another battery" },
  };
  expect((await send("POST /v1/user/password-resets/confirm", confirm)).body.code).toBe(refused);
});

describe("while only emergency administrators use passwords", () => {
  beforeEach(async () => {
    await name();
    await enforce();
  });

  test("403 with the sign-in URL for every other use of a password", async () => {
    const ann = await makeUser(world.tenant, { ...member, login: "ann", password });
    const answer = await logIn("ann");
    expect([answer.status, answer.body.code]).toEqual([403, refused]);
    expect(answer.body.reason).toBe(`${publicUrl()}/sign-in?tenant=${world.tenant}`);
    expect((await logIn("ann", "wrong")).body.code).toBe("auth.login-failed");
    const { headers } = await makeSession(world.tenant, ann.userId);
    const stepUp = { headers, body: { password } };
    expect((await send("POST /v1/user/session/step-up", stepUp)).body.code).toBe(refused);
    const link = `POST /v1/user/${ann.userId}/password-reset`;
    expect((await send(link, { headers: world.headers })).body.code).toBe(refused);
    const invited = await send("POST /v1/user/invitations", {
      headers: world.headers,
      body: {
        ...{ login: "new", name: "New", emailAddress: "new@shop.example" },
        roles: { roleIds: ["portal.default"], sites: {} },
      },
    });
    const accept = { headers: here(), body: { token: invited.body.token, password } };
    expect((await send("POST /v1/user/invitations/accept", accept)).body.code).toBe(refused);
  });

  test("a guest signs in by the methods that the tenant accepts, independent of the home tenant", async () => {
    const home = await makeTenant();
    const { userId } = await makeUser(home, { ...member, login: "gus", password });
    const row = { userId, homeTenantId: home };
    await makeUser(world.tenant, { ...member, login: "gus", row });
    const to = { tenant: world.tenant };
    const by = async (authenticatedBy: string) => {
      const { headers } = await makeSession(home, userId, { authenticatedBy });
      return (await send("POST /v1/user/session/switch", { headers, body: to })).body.code;
    };
    expect(await by("password totp")).toBe(refused);
    expect(await by("passkey")).toBeUndefined();
    expect(await by("connection")).toBeUndefined();
  });

  test("409 for the last enabled connection, and for a change of its issuer, which no user is linked to", async () => {
    const off = { isEnabled: false };
    expect((await change(connection.id, off)).body.code).toBe("connection.needed");
    const moved = { issuer: "https://127.0.0.1/other", clientSecret: "any" };
    expect((await change(connection.id, moved)).body.code).toBe("connection.needed");
    const { headers } = world;
    const gone = await send(`DELETE /v1/tenant/connections/${connection.id}`, { headers });
    expect(gone.body.code).toBe("connection.needed");
    await connect();
    expect((await change(connection.id, off)).status).toBe(200);
  });

  test("each use of an emergency administrator is recorded, and every administrator is notified", async () => {
    expect((await rescue()).status).toBe(200);
    const trail = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, world.tenant));
    const use = trail.filter(({ action }) => action === "tenant.emergency-sign-in");
    expect(use).toMatchObject([{ actor: { id: rescuer.userId } }]);
    const { headers } = world;
    const { body: notices } = await send("GET /v1/user/notices", { headers });
    expect(notices).toContainEqual(
      expect.objectContaining({ kind: "emergency-sign-in", byOneself: false }),
    );
    const { body } = await send("GET /v1/tenant/emergency-administrators", { headers });
    expect(body[0].lastUsedAt).toBeDefined();
  });

  describe("the way back", () => {
    const everybody = async () => {
      const { body } = await rescue();
      const headers = { ...here(), "X-Service-Session-Id": body.sessionId };
      await makeUser(world.tenant, { ...member, login: "zoe", password });
      expect((await policy({}, headers)).status).toBe(200);
      expect((await logIn("zoe")).status).toBe(200);
    };

    test("with the provider unavailable", async () => {
      await world.provider.close();
      forgetProviders();
      const browser = new ProviderBrowser();
      await browser.begin(connection.providerId);
      expect(await browser.outcome()).toMatchObject({ kind: "unreachable" });
      await everybody();
    });

    test("with a wrong secret of the connection, and with a wrong claim map", async () => {
      await change(connection.id, {
        provisioning: "on-first-sign-in",
        claims: { email: "no-such-claim" },
      });
      const somebody = await new ProviderBrowser().signIn(connection.providerId, "bob");
      expect(somebody.outcome).toMatchObject({ kind: "claim-missing", value: "no-such-claim" });
      await change(connection.id, { clientSecret: "wrong" });
      const { outcome } = await new ProviderBrowser().signIn(connection.providerId, "ada");
      expect(outcome).toMatchObject({ kind: "client-rejected" });
      await everybody();
    });

    test("with the only second factor lost: the operator's one-time password signs in, and is recorded", async () => {
      const acting = actingAsSystem(world.tenant, "reset-password");
      const { login } = await makeUser(world.tenant, admin);
      const { password: oneTime } = await resetPassword(acting, login);
      const { body } = await logIn(login, oneTime);
      const headers = { ...here(), "X-Service-Session-Id": body.sessionId };
      const next = { current: oneTime, password: "another horse battery" };
      expect((await send("PUT /v1/user/password", { headers, body: next })).status).toBe(204);
      expect((await policy({}, headers)).status).toBe(200);
    });
  });
});

test("403 auth.passkey-not-accepted for a switch from a passkey session when passkeys are disabled", async () => {
  await policy({ signIn: { passkeys: "off" } });
  const home = await makeTenant();
  const { userId } = await makeUser(home, member);
  await makeUser(world.tenant, { ...member, row: { userId, homeTenantId: home } });
  const { headers } = await makeSession(home, userId, { authenticatedBy: "passkey" });
  const body = { tenant: world.tenant };
  const answer = await send("POST /v1/user/session/switch", { headers, body });
  expect(answer.body.code).toBe("auth.passkey-not-accepted");
});
