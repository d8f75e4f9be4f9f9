import { describe, expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import { db } from "@/lib/database/open";
import { memberships } from "@/lib/database/schema/schema";
import { forgetProviders } from "@/lib/features/connections/provider-metadata";
import { getConnectionRow } from "@/lib/features/connections/rows";
import { signInByProvider } from "@/lib/features/connections/sign-in";
import { signOutProviderOf } from "@/lib/features/connections/sign-out-there";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { clientOf } from "./connection-flow";
import { ProviderBrowser } from "./testing/provider-browser";
import { member, providerWorld } from "./testing/provider-world";

/** The end of a connection and its sessions, and the notice of a new link. */

const send = testServer();
const { world, connect, change, browserOf } = providerWorld(send);

async function signIn(providerId: string, login: string) {
  const browser = new ProviderBrowser();
  const { path } = await browser.signIn(providerId, login);
  expect(path).toBe(`/t/${world.tenant}`);
  const sessionId = (await browser.sessionOf(world.tenant)) ?? "";
  return { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": sessionId };
}

const statusOf = async (headers: Record<string, string>) =>
  (await send("GET /v1/user/session", { headers })).status;

describe("the end of a connection", () => {
  test.each(["disabled", "deleted"])(
    "when it is %s its sessions end, including those in other tenants, and no others",
    async (how) => {
      const { id, providerId } = await connect();
      const ada = await signIn(providerId, "ada");
      const bob = await signIn((await connect()).providerId, "bob");
      const { body: me } = await send("GET /v1/user/profile", { headers: ada });
      const elsewhere = await makeTenant();
      const row = { userId: me.id, homeTenantId: world.tenant };
      await makeUser(elsewhere, { ...member, row });
      await db()
        .insert(memberships)
        .values({
          ...{ tenantId: world.tenant, userId: me.id, memberTenantId: elsewhere },
          notedAt: new Date(),
        });
      const moved = await send("POST /v1/user/session/switch", {
        headers: ada,
        body: { tenant: elsewhere },
      });
      const away = {
        "X-Service-Tenant": elsewhere,
        "X-Service-Session-Id": moved.body.sessionId,
      };
      expect([await statusOf(ada), await statusOf(away)]).toEqual([200, 200]);
      const { headers } = world;
      const ended =
        how === "disabled"
          ? await change(id, { isEnabled: false })
          : await send(`DELETE /v1/tenant/connections/${id}`, { headers });
      expect(ended.status, ended.text).toBeLessThan(300);
      expect([await statusOf(ada), await statusOf(away)]).toEqual([401, 401]);
      expect([await statusOf(bob), await statusOf(headers)]).toEqual([200, 200]);
    },
  );

  test("a sign-in in progress when it is disabled opens no session", async () => {
    const { id: connectionId, providerId } = await connect();
    await signIn(providerId, "ada");
    const connection = await getConnectionRow({ tenantId: world.tenant, connectionId });
    const client = await clientOf(connection);
    const identified = { claims: { sub: "ada", nonce: "another" }, accessToken: undefined };
    const origin = { requestId: "any", address: "127.0.0.1", agent: "" };
    await change(connectionId, { isEnabled: false });
    const late = signInByProvider({ connection, client, identified, origin });
    await expect(late).rejects.toMatchObject({ kind: "disabled" });
  });

  test("verifiers of other services learn that their cache of the tenant is stale", async () => {
    const { id, providerId } = await connect();
    await signIn(providerId, "ada");
    const program = await makeUser(world.tenant, {
      roleIds: ["tenant.admin"],
      row: { kind: "service" },
    });
    const permissions = ["credential.verify" as const];
    const key = await makeApiKey(world.tenant, program.userId, { permissions });
    const first = await send("GET /v1/access/revocations", { headers: key.headers });
    expect(first.status, first.text).toBe(200);
    const next = /after=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    await change(id, { isEnabled: false });
    const { body } = await send(`GET /v1/access/revocations?after=${next}`, {
      headers: key.headers,
    });
    expect(body).toMatchObject([{ subjectKind: "tenant", effect: "changed" }]);
  });
});

describe("a sign-out at the provider", () => {
  const inBrowser = async (providerId: string) => {
    const browser = new ProviderBrowser();
    expect((await browser.signIn(providerId, "ada")).path).toBe(`/t/${world.tenant}`);
    const sessionId = (await browser.sessionOf(world.tenant)) ?? "";
    return {
      browser,
      headers: { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": sessionId },
    };
  };

  test("of a real provider ends its session and the one here, and redirects to the sign-in page", async () => {
    const { providerId } = await connect({}, undefined, send.url());
    const [{ browser, headers }, other] = [
      await inBrowser(providerId),
      await inBrowser(providerId),
    ];
    const { url } = (await (await browser.addressOfSignOut(providerId)).json()) as { url: string };
    const asked = await browser.openAt(url);
    const page = await asked.text();
    const [, action = ""] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    expect(await statusOf(headers)).toBe(200);
    const left = await browser.openAt(action, { xsrf, logout: "yes" });
    expect(left.headers.get("location")).toBe(`${publicUrl()}/sign-in`);
    expect([await statusOf(headers), await statusOf(other.headers)]).toEqual([401, 200]);
  });

  test("is only offered to users who signed in at a provider that supports it", async () => {
    const { providerId } = await connect();
    const { browser, headers } = await inBrowser(providerId);
    const { caller } = await authenticate(new Headers(headers), {
      ...{ tenantId: world.tenant, accepted: ["session"], operation: "GET /t/{tenant}" },
      origin: { requestId: "", address: "127.0.0.1", agent: "" },
    });
    expect(await signOutProviderOf(caller)).toEqual({ id: providerId, name: "Example Corp" });
    const own = await browserOf(world.adminId);
    const { url } = (await (await own.addressOfSignOut(providerId)).json()) as { url: string };
    expect(url).toBe("/sign-in/outcome");
    expect(await own.outcome()).toMatchObject({ kind: "still-signed-in" });
    const nobody = await new ProviderBrowser().addressOfSignOut(providerId);
    expect(nobody.status).toBe(401);
    await world.provider.close();
    forgetProviders();
    const away = (await (await browser.addressOfSignOut(providerId)).json()) as { url: string };
    expect(away.url).toBe("/sign-in/outcome");
  });
});

test("a new link is a notice to its owner", async () => {
  const { providerId } = await connect({ provisioning: "linked-only" });
  const { userId } = await makeUser(world.tenant, member);
  await (await browserOf(userId)).signIn(providerId, "ada", { intent: "link" });
  const headers = await signIn(providerId, "ada");
  const { body } = await send("GET /v1/user/notices", { headers });
  expect(body).toContainEqual(
    expect.objectContaining({ kind: "identity-linked", byOneself: true }),
  );
});

describe("an invitation that is accepted at the provider", () => {
  const invite = async (login: string) =>
    (
      await send("POST /v1/user/invitations", {
        headers: world.headers,
        body: {
          ...{ login, name: "New", emailAddress: `${login}@shop.example` },
          roles: { roleIds: ["portal.default"], sites: {} },
        },
      })
    ).body;

  test("creates the invited user, without a password, and works once", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const { token: invitation, id } = await invite("ada");
    const accept = (login: string) =>
      new ProviderBrowser().signIn(providerId, login, { intent: "accept", invitation });
    expect((await accept("ada")).path).toBe(`/t/${world.tenant}`);
    const headers = await signIn(providerId, "ada");
    expect((await send("GET /v1/user/profile", { headers })).body.id).toBe(id);
    expect((await accept("bob")).outcome).toMatchObject({
      kind: "invitation-invalid",
      value: "auth.link-invalid",
    });
    expect((await new ProviderBrowser().signIn(providerId, "bob")).outcome).toMatchObject({
      kind: "not-linked",
    });
  });

  test("is rejected for an account that is linked to a user, and remains valid", async () => {
    const { providerId } = await connect({ provisioning: "linked-only" });
    const { userId } = await makeUser(world.tenant, member);
    await (await browserOf(userId)).signIn(providerId, "ada", { intent: "link" });
    const { token: invitation } = await invite("new");
    const accept = (login: string) =>
      new ProviderBrowser().signIn(providerId, login, { intent: "accept", invitation });
    expect((await accept("ada")).outcome).toMatchObject({ kind: "linked-elsewhere" });
    expect((await accept("bob")).path).toBe(`/t/${world.tenant}`);
  });
});
