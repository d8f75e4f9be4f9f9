import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { sealSessions } from "@/lib/access/portal-cookie";
import { db } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import { clientId } from "@/lib/features/connections/testing/identity-provider";
import {
  type LyingProvider,
  openLyingProvider,
} from "@/lib/features/connections/testing/lying-provider";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./testing/provider-browser";
import { member, providerWorld } from "./testing/provider-world";

/** A new sign-in at the provider as proof of identity for users without another factor. */

const send = testServer();
const { world, connect, browserOf } = providerWorld(send);
const now = () => Math.floor(Date.now() / 1000);

let liar: LyingProvider;
let providerId: string;

beforeEach(async () => {
  liar = await openLyingProvider();
  ({ providerId } = await connect({ issuer: liar.issuer }));
  return () => liar.close();
});

/** Returns from the provider with an ID token that has the given claims. */
async function comeBack(browser: ProviderBrowser, address: URL, said: object) {
  const claims = {
    ...{ iss: liar.issuer, aud: clientId, iat: now(), exp: now() + 300 },
    nonce: address.searchParams.get("nonce"),
    ...{ preferred_username: "ada", email: "ada@shop.example", name: "Ada", ...said },
  };
  const idToken = await liar.sign(claims);
  liar.answer("/token", () => ({ body: { id_token: idToken } }));
  const back = new URL(`${publicUrl()}/api/auth/callback/${providerId}`);
  const state = address.searchParams.get("state") ?? "";
  back.search = new URLSearchParams({ code: "a code", state }).toString();
  return browser.comeBack(back);
}

async function signIn(sub: string) {
  const browser = new ProviderBrowser();
  const address = await browser.addressAtProvider(providerId);
  const more = { preferred_username: sub, email: `${sub}@shop.example` };
  expect((await comeBack(browser, address, { sub, ...more })).path).toBe(`/t/${world.tenant}`);
  return browser;
}

const headersOf = async (browser: ProviderBrowser, tenant = world.tenant) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Session-Id": (await browser.sessionOf(tenant)) ?? "",
});

/** Runs a step-up at the provider, which returns the given claims. */
async function stepUp(browser: ProviderBrowser, said: object, form: Record<string, string> = {}) {
  const address = await browser.addressAtProvider(providerId, { intent: "step-up", ...form });
  if (!address.href.startsWith(liar.issuer)) return browser.outcome();
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ prompt: "login", max_age: "0" });
  return (await comeBack(browser, address, said)).outcome;
}

/** Makes the proofs of identity of a tenant's sessions old. */
const age = (tenantId: string) =>
  db()
    .update(sessions)
    .set({ authenticatedAt: new Date(Date.now() - 3_600_000) })
    .where(eq(sessions.tenantId, tenantId));

/** The newest proof of the session. */
const proofOf = async (headers: Record<string, string>) => {
  const { body } = await send("GET /v1/user/sessions", { headers });
  return body.find(({ current }: { current: boolean }) => current);
};

describe("a new sign-in at the provider", () => {
  test("by the user of the session is a proof, recorded in the audit trail", async () => {
    const browser = await signIn("ada");
    const headers = await headersOf(browser);
    await age(world.tenant);
    const sensitive = () =>
      send("POST /v1/user/second-factors", { headers, body: { kind: "totp" } });
    expect((await sensitive()).body).toMatchObject({
      ...{ code: "auth.step-up-required", reason: providerId },
    });
    const before = await proofOf(headers);
    expect(await stepUp(browser, { sub: "ada", auth_time: now() })).toMatchObject({
      is: "stepped-up",
      name: "Example Corp",
    });
    const after = await proofOf(headers);
    expect(after.ref).toBe(before.ref);
    expect(after.authenticatedBy).toEqual(["connection"]);
    expect(after.authenticatedAt > before.authenticatedAt).toBe(true);
    expect((await sensitive()).status).toBe(201);
    const audit = await send("GET /v1/audit/events?action=session.stepped-up", {
      headers: world.headers,
    });
    expect(audit.body[0].changes).toEqual({ authenticatedBy: { after: "connection" } });
  });

  test("is no proof if it is too old, has no time, or is by another user", async () => {
    const browser = await signIn("ada");
    await signIn("bob");
    const headers = await headersOf(browser);
    const before = await proofOf(headers);
    // Each time is computed when its case runs: the service rejects older ones.
    const cases: [() => object, string, string?][] = [
      [() => ({ sub: "ada", auth_time: now() - 60 }), "not-fresh"],
      [() => ({ sub: "ada", auth_time: now() + 60 }), "token-invalid", "auth_time"],
      [() => ({ sub: "ada", auth_time: String(now()) }), "token-invalid", "auth_time"],
      [() => ({ sub: "ada" }), "token-invalid", "auth_time"],
      [() => ({ sub: "bob", auth_time: now() }), "somebody-else"],
      [() => ({ sub: "nobody yet", auth_time: now() }), "somebody-else"],
    ];
    for (const [say, kind, value] of cases) {
      const said = say();
      const outcome = await stepUp(browser, said);
      expect(outcome, JSON.stringify(said)).toMatchObject({ is: "failure", kind });
      if (value) expect(outcome).toMatchObject({ value });
    }
    expect(await proofOf(headers)).toEqual({
      ...before,
      lastSeenAt: expect.any(String),
      idleExpiresAt: expect.any(String),
    });
  });

  test("is a proof for a session in another tenant, and none without a session", async () => {
    const { body: me } = await send("GET /v1/user/profile", {
      headers: await headersOf(await signIn("ada")),
    });
    const elsewhere = await makeTenant();
    await makeUser(elsewhere, { ...member, row: { userId: me.id, homeTenantId: world.tenant } });
    const { sessionId, headers } = await makeSession(elsewhere, me.id, {
      authenticatedBy: "connection",
    });
    await age(elsewhere);
    const browser = new ProviderBrowser();
    const said = { sub: "ada", auth_time: now() };
    const form = { intent: "step-up", acting: elsewhere };
    for (const acting of [elsewhere, "no slug!"]) {
      const answered = await browser.begin(providerId, { ...form, acting });
      expect([answered.status, (await answered.json()).code]).toEqual([
        ...[401, "auth.credentials-missing"],
      ]);
    }
    const sealed = await sealSessions(new Map([[elsewhere, sessionId]]), 3600);
    browser.cookies(publicUrl()).set("next-auth.session-token", sealed);
    expect(await stepUp(browser, said, form)).toMatchObject({ is: "stepped-up" });
    const { authenticatedAt } = await proofOf(headers);
    expect(Date.now() - Date.parse(authenticatedAt)).toBeLessThan(600_000);
  });

  test("is no proof with another account of the same user than that of the session", async () => {
    const browser = await signIn("ada");
    const address = await browser.addressAtProvider(providerId, { intent: "link" });
    await comeBack(browser, address, { sub: "ada's other account" });
    const said = { sub: "ada's other account", auth_time: now() };
    expect(await stepUp(browser, said)).toMatchObject({ kind: "somebody-else" });
  });

  test("is no proof for a user with a second factor, and replaces a password for a linked account", async () => {
    const { userId } = await makeUser(world.tenant, member);
    const browser = await browserOf(userId);
    const address = await browser.addressAtProvider(providerId, { intent: "link" });
    await comeBack(browser, address, { sub: "cy" });
    const said = { sub: "cy", auth_time: now() };
    expect(await stepUp(browser, said)).toMatchObject({ is: "stepped-up" });
    await makeFactor(world.tenant, userId);
    expect(await stepUp(browser, said)).toMatchObject({
      ...{ kind: "no-entry", value: "auth.second-factor-required" },
    });
  });
});
