import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./testing/provider-browser";
import { accounts, member, providerWorld } from "./testing/provider-world";

const send = testServer();
const { world, connect, people, links, browserOf } = providerWorld(send);

describe("a link with the user's own account", () => {
  const link = async (browser: ProviderBrowser, providerId: string, login = "ada") =>
    browser.signIn(providerId, login, { intent: "link" });

  test("signs in from then on, until it is removed", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const { userId } = await makeUser(world.tenant, {
      login: "somebody",
      roleIds: ["portal.default"],
    });
    const { path } = await link(await browserOf(userId), providerId);
    expect(path).toBe(`/t/${world.tenant}/me#linked-providers`);
    const browser = new ProviderBrowser();
    expect((await browser.signIn(providerId, "ada")).path).toBe(`/t/${world.tenant}`);
    const as = { headers: (await makeSession(world.tenant, userId)).headers };
    const [{ id }] = (await send("GET /v1/user/identities", as)).body;
    expect((await send(`DELETE /v1/user/identities/${id}`, as)).status).toBe(204);
    expect((await send(`DELETE /v1/user/identities/${id}`, as)).body.code).toBe(
      "identity.not-found",
    );
    const { outcome } = await new ProviderBrowser().signIn(providerId, "ada");
    expect(outcome).toMatchObject({ kind: "not-linked" });
    const actions = (await actionsOf(world.tenant)).filter((one) => one.includes("identity"));
    expect(actions).toEqual(["user.identity-linked", "user.identity-unlinked"]);
  });

  test("is rejected for an account linked to another user", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const [one, two] = [await makeUser(world.tenant, member), await makeUser(world.tenant, member)];
    await link(await browserOf(one.userId), providerId);
    const { outcome } = await link(await browserOf(two.userId), providerId);
    expect(outcome).toMatchObject({ kind: "linked-elsewhere" });
    expect(await links()).toMatchObject([{ userId: one.userId }]);
  });

  test("needs a recent proof of identity, a session, and the home tenant", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const { userId } = await makeUser(world.tenant, member);
    const authenticatedAt = new Date(Date.now() - 16 * 60_000);
    const old = await browserOf(userId, { authenticatedAt });
    const codeOf = async (browser: ProviderBrowser) =>
      ((await (await browser.begin(providerId, { intent: "link" })).json()) as { code?: string })
        .code;
    expect(await codeOf(old)).toBe("auth.step-up-required");
    expect(await codeOf(new ProviderBrowser())).toBe("auth.credentials-missing");
    const home = await makeTenant();
    const guest = await makeUser(home, member);
    const row = { userId: guest.userId, homeTenantId: home };
    await makeUser(world.tenant, { ...member, row });
    expect(await codeOf(await browserOf(guest.userId))).toBe("user.other-home");
  });

  test("is rejected if the browser has another user's session by then", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const [one, two] = [await makeUser(world.tenant, member), await makeUser(world.tenant, member)];
    const browser = await browserOf(one.userId);
    const address = await browser.addressAtProvider(providerId, { intent: "link" });
    const back = await browser.signInAt(address, "ada");
    const other = await browserOf(two.userId);
    const session = other.cookies(publicUrl()).get("next-auth.session-token") ?? "";
    browser.cookies(publicUrl()).set("next-auth.session-token", session);
    expect((await browser.comeBack(back)).outcome).toMatchObject({ kind: "session-over" });
    expect(await links()).toEqual([]);
  });

  test("409 for the last link of a user without a password", async () => {
    const { providerId } = await connect();
    const browser = new ProviderBrowser();
    await browser.signIn(providerId, "ada");
    const sessionId = (await browser.sessionOf(world.tenant)) ?? "";
    const as = { headers: { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": sessionId } };
    const [{ id }] = (await send("GET /v1/user/identities", as)).body;
    const refused = await send(`DELETE /v1/user/identities/${id}`, as);
    expect(refused.body.code).toBe("identity.only-way");
    expect(await links()).toHaveLength(1);

    // Of two links that are removed at the same time the last one must remain.
    const [known] = await db()
      .select()
      .from(identities)
      .where(eq(identities.tenantId, world.tenant));
    if (!known) throw new Error("Nothing is linked.");
    const second = { ...known, identityId: newId("iden"), subject: "ada at work" };
    await db().insert(identities).values(second);
    const both = [known, second].map(({ identityId }) =>
      send(`DELETE /v1/user/identities/${identityId}`, as),
    );
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 409]);
    expect(await links()).toHaveLength(1);
  });

  test("403 outside the home tenant", async () => {
    const home = await makeTenant();
    const { userId } = await makeUser(home, member);
    await makeUser(world.tenant, { ...member, row: { userId, homeTenantId: home } });
    const as = { headers: (await makeSession(world.tenant, userId)).headers };
    for (const operation of ["GET /v1/user/identities", "DELETE /v1/user/identities/iden_x"])
      expect((await send(operation, as)).body.code).toBe("user.other-home");
  });
});

describe("a trial", () => {
  test("of a disabled connection shows the claims and the expected effects, and changes nothing", async () => {
    const { providerId } = await connect({ isEnabled: false });
    const browser = await browserOf(world.adminId);
    const before = browser.cookies(publicUrl()).get("next-auth.session-token");
    const { path, outcome } = await browser.signIn(providerId, "ada", { intent: "try" });
    expect(path).toBe("/sign-in/outcome");
    expect(outcome).toMatchObject({
      is: "trial",
      trial: {
        result: { is: "creates", person: { login: "ada", emailAddress: "ada@shop.example" } },
      },
    });
    const claims = outcome?.is === "trial" ? Object.fromEntries(outcome.trial.claims) : {};
    expect(claims).toMatchObject({ sub: "ada", iss: world.provider.issuer, name: "Ada L." });
    expect(await people()).toHaveLength(1);
    expect(await links()).toEqual([]);
    expect(browser.cookies(publicUrl()).get("next-auth.session-token")).toBe(before);
  });

  test("shows which claim is missing, and who would sign in", async () => {
    const { providerId } = await connect();
    const browser = await browserOf(world.adminId);
    const missing = await browser.signIn(providerId, "cy", { intent: "try" });
    expect(missing.outcome).toMatchObject({
      trial: { result: { is: "fails", kind: "claim-missing", value: "email" } },
    });
    await new ProviderBrowser().signIn(providerId, "ada");
    const known = await (await browserOf(world.adminId)).signIn(providerId, "ada", {
      intent: "try",
    });
    expect(known.outcome).toMatchObject({ trial: { result: { is: "signs-in", login: "ada" } } });
  });

  test("shows the roles that the groups would grant, and that the provider omitted them", async () => {
    const line = (group: string, roleIds: string[], sites = {}) => ({
      ...{ group, roles: { roleIds, sites } },
    });
    const { providerId } = await connect({
      claims: { groups: "groups" },
      groupRoles: [
        line("Staff", ["portal.default"], { one: { roleIds: ["portal.analytics.mgmt"] } }),
        line("Others", ["portal.configurations.mgmt"]),
      ],
    });
    const redirectUris = [`${publicUrl()}/api/auth/callback/${providerId}`];
    const asked = async (claims: object) => {
      world.provider.serve({ redirectUris, accounts: { ada: { ...accounts.ada, ...claims } } });
      const browser = await browserOf(world.adminId);
      const { outcome } = await browser.signIn(providerId, "ada", { intent: "try" });
      return outcome?.is === "trial" ? outcome.trial.groups : outcome;
    };
    expect(await asked({ groups: ["Staff", "Elsewhere"] })).toEqual({
      ...{ roles: ["portal.default", "portal.analytics.mgmt (one)"], more: 0, isLeftOut: false },
    });
    const elsewhere = { _claim_names: { groups: "src1" } };
    expect(await asked(elsewhere)).toEqual({ roles: [], more: 0, isLeftOut: true });
  });

  test("403 for a user who is no administrator", async () => {
    const { providerId } = await connect();
    const { userId } = await makeUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
    const browser = await browserOf(userId);
    const answered = await browser.begin(providerId, { intent: "try" });
    expect(answered.status).toBe(403);
  });
});

test("the sign-in page receives the enabled connections, and none for unknown tenants", async () => {
  const { id } = await connect();
  await connect({ name: "Off", isEnabled: false });
  const list = (name: string) =>
    send("GET /v1/user/sign-in-connections", { headers: { "X-Service-Tenant": name } });
  expect((await list(world.tenant)).body).toEqual([
    {
      id,
      name: "Example Corp",
      url: `${publicUrl()}/sign-in?tenant=${world.tenant}&connection=${id}`,
    },
  ]);
  const [none, unknown] = [await list(await makeTenant()), await list("nobody-has-this")];
  expect([none.status, none.text]).toEqual([unknown.status, unknown.text]);
});

test("the sign-in page offers passkeys unless the policy or the host excludes them", async () => {
  const { id } = await connect();
  const of = async (name: string) =>
    (await send("GET /v1/user/sign-in-methods", { headers: { "X-Service-Tenant": name } })).body;
  expect(await of(world.tenant)).toMatchObject({ passkey: true, connections: [{ id }] });
  const { headers } = world;
  const body = { signIn: { passkeys: "off" } };
  expect((await send("PUT /v1/tenant/security-policy", { headers, body })).status).toBe(200);
  expect(await of(world.tenant)).toMatchObject({ passkey: false });
  const nobodys = { passkey: true, connections: [] };
  expect([await of(await makeTenant()), await of("nobody-has-this")]).toEqual([nobodys, nobodys]);
  for (const url of ["https://10.1.2.3", "https://[fd00::1]", "http://gate.example"]) {
    vi.stubEnv("PUBLIC_URL", url);
    expect(await of("nobody-has-this"), url).toEqual({ ...nobodys, passkey: false });
  }
});
