import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, users } from "@/lib/database/schema/schema";
import {
  clientId,
  clientSecret,
  openIdentityProvider,
} from "@/lib/features/connections/testing/identity-provider";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./testing/provider-browser";
import { accounts, providerWorld } from "./testing/provider-world";

/** The complete flow with a real provider: over HTTP to it, and back into the portal. */

const send = testServer();
const { world, connect, change, people, links } = providerWorld(send);

test("a new user is created from the provider's claims, and the session records how it was opened", async () => {
  const { providerId, id } = await connect();
  const browser = new ProviderBrowser();
  const arrived = await browser.signIn(providerId, "ada", { next: `/t/${world.tenant}/me` });
  expect(arrived).toEqual({ path: `/t/${world.tenant}/me`, outcome: undefined });
  const sessionId = (await browser.sessionOf(world.tenant)) ?? "";
  const as = { headers: { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": sessionId } };
  const listed = await send("GET /v1/user/sessions", as);
  expect(listed.status, listed.text).toBe(200);
  const [session] = listed.body;
  expect(session.authenticatedBy).toEqual(["connection"]);
  expect((await send("GET /v1/user/profile", as)).body).toMatchObject({
    ...{ login: "ada", name: "Ada L.", emailAddress: "ada@shop.example" },
  });
  expect((await send("GET /v1/user/identities", as)).body).toMatchObject([
    { connection: { id, name: "Example Corp" }, issuer: world.provider.issuer, subject: "ada" },
  ]);
  const trail = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, world.tenant));
  const created = trail.find(({ action }) => action === "user.created");
  expect(created?.actor).toMatchObject({ type: "system", id });
  expect(JSON.stringify(trail)).not.toContain(clientSecret);
});

test("a second sign-in creates no user, and uses the cached keys and metadata of the provider", async () => {
  const { providerId } = await connect();
  await new ProviderBrowser().signIn(providerId, "ada");
  const { path } = await new ProviderBrowser().signIn(providerId, "ada");
  expect(path).toBe(`/t/${world.tenant}`);
  const adas = (await people()).filter(({ login }) => login === "ada");
  // No password link is mailed to an address that only the provider asserts.
  expect(adas).toMatchObject([{ emailAddress: "ada@shop.example", usedEmail: "" }]);
  expect(await links()).toHaveLength(1);
  expect(world.provider.asked.get("/jwks")).toBe(1);
  expect(world.provider.asked.get("/.well-known/openid-configuration")).toBe(1);
});

test("with a provider that only accepts the client secret in the body", async () => {
  const { providerId } = await connect({}, "post");
  expect((await new ProviderBrowser().signIn(providerId, "ada")).path).toBe(`/t/${world.tenant}`);
});

test("prompt and login_hint are forwarded to the provider, and no other parameter is", async () => {
  const { providerId } = await connect();
  const more = { redirect_uri: "https://evil.example", scope: "admin", client_id: "other" };
  const asked = { prompt: "login", login_hint: "ada@shop.example", ...more };
  const { searchParams } = await new ProviderBrowser().addressAtProvider(providerId, asked);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ prompt: "login", login_hint: "ada@shop.example", client_id: clientId },
    ...{ response_type: "code", code_challenge_method: "S256", scope: "openid profile email" },
    redirect_uri: `${publicUrl()}/api/auth/callback/${providerId}`,
  });
  expect([...searchParams.keys()].toSorted()).toEqual(
    [
      ...["client_id", "code_challenge", "code_challenge_method", "login_hint", "nonce"],
      ...["prompt", "redirect_uri", "response_type", "scope", "state"],
    ].toSorted(),
  );
});

test("an existing user is not taken over by login or e-mail address, verified or not", async () => {
  const { providerId } = await connect();
  const row = { emailAddress: "bob@shop.example" };
  await makeUser(world.tenant, { login: "ada", roleIds: ["tenant.admin"], row });
  const browser = new ProviderBrowser();
  const { outcome, path } = await browser.signIn(providerId, "ada");
  expect(path).toBe("/sign-in/outcome");
  expect(outcome).toMatchObject({ is: "failure", kind: "login-taken", value: "ada" });
  expect(await browser.sessionOf(world.tenant)).toBeUndefined();
  await new ProviderBrowser().signIn(providerId, "bob");
  const bobs = (await people()).filter(({ emailAddress }) => emailAddress === "bob@shop.example");
  expect(bobs.map(({ login }) => login).toSorted()).toEqual(["ada", "bob"]);
  expect(await links()).toMatchObject([{ subject: "bob" }]);
});

test.each(["is linked-only", "has no such domain"])(
  "no user is created when the connection %s",
  async (which) => {
    const isLinked = which === "is linked-only";
    const { providerId } = await connect(
      isLinked ? { provisioning: "linked-only" } : { domains: ["other.example"] },
    );
    const { outcome } = await new ProviderBrowser().signIn(providerId, "ada");
    expect(outcome).toMatchObject(
      isLinked ? { kind: "not-linked" } : { kind: "domain-not-allowed", value: "shop.example" },
    );
    expect(await people()).toHaveLength(1);
  },
);

test("a missing claim is named, with the request id", async () => {
  const { providerId } = await connect();
  const { outcome } = await new ProviderBrowser().signIn(providerId, "cy");
  expect(outcome).toMatchObject({
    ...{ kind: "claim-missing", value: "email", requestId: "returned", name: "Example Corp" },
  });
});

test("a reactivated user signs in as before, without a password", async () => {
  const { providerId } = await connect();
  await new ProviderBrowser().signIn(providerId, "ada");
  const ada = (await people()).find(({ login }) => login === "ada");
  const as = { headers: world.headers };
  expect((await send(`POST /v1/user/${ada?.userId}/deactivate`, as)).status).toBe(200);
  const { outcome } = await new ProviderBrowser().signIn(providerId, "ada");
  expect(outcome).toMatchObject({ kind: "no-entry", value: "user.deactivated" });
  expect((await send(`POST /v1/user/${ada?.userId}/reactivate`, as)).status).toBe(200);
  expect((await new ProviderBrowser().signIn(providerId, "ada")).path).toBe(`/t/${world.tenant}`);
});

test.each([
  ["locked", { isLocked: true }, "user.locked"],
  ["deactivated", { state: "deactivated" as const }, "user.deactivated"],
  ["without a role", { grants: "" }, "user.no-role"],
])("a user who is %s cannot sign in", async (_, set, code) => {
  const { providerId } = await connect();
  await new ProviderBrowser().signIn(providerId, "ada");
  const [link] = await links();
  await db()
    .update(users)
    .set(set)
    .where(and(eq(users.tenantId, world.tenant), eq(users.userId, link?.userId ?? "")));
  const browser = new ProviderBrowser();
  const { outcome } = await browser.signIn(providerId, "ada");
  expect(outcome).toMatchObject({ kind: "no-entry", value: code });
  expect(await browser.sessionOf(world.tenant)).toBeUndefined();
});

test("a sign-in fails if the connection is disabled or deleted during it", async () => {
  const { providerId, id } = await connect();
  const browser = new ProviderBrowser();
  const back = await browser.signInAt(await browser.addressAtProvider(providerId), "ada");
  await change(id, { isEnabled: false });
  expect((await browser.comeBack(back)).outcome).toMatchObject({ kind: "disabled" });
  await send(`DELETE /v1/tenant/connections/${id}`, { headers: world.headers });
  const address = await new ProviderBrowser().addressAtProvider(providerId);
  expect(address.pathname).toBe("/sign-in/outcome");
  expect(await people()).toHaveLength(1);
});

test("a new issuer has no users of the former one", async () => {
  const { providerId, id } = await connect();
  await new ProviderBrowser().signIn(providerId, "ada");
  const former = world.provider;
  world.provider = await openIdentityProvider();
  world.provider.serve({
    redirectUris: [`${publicUrl()}/api/auth/callback/${providerId}`],
    accounts,
  });
  await change(id, { issuer: world.provider.issuer, clientSecret, provisioning: "linked-only" });
  const { outcome } = await new ProviderBrowser().signIn(providerId, "ada");
  expect(outcome).toMatchObject({ kind: "not-linked" });
  await former.close();
});

test("concurrent first sign-ins of one account create one user", async () => {
  const { providerId } = await connect();
  const browsers = Array.from({ length: 8 }, () => new ProviderBrowser());
  const backs = await Promise.all(
    browsers.map(async (one) => one.signInAt(await one.addressAtProvider(providerId), "ada")),
  );
  const arrived = await Promise.all(
    browsers.map((one, index) => one.comeBack(backs[index] as URL)),
  );
  expect(arrived.map(({ path }) => path)).toEqual(browsers.map(() => `/t/${world.tenant}`));
  expect(await links()).toHaveLength(1);
  expect(await people()).toHaveLength(2);
});
