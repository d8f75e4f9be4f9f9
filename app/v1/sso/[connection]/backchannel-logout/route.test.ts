import { UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import { memberships } from "@/lib/database/schema/schema";
import { clientId } from "@/lib/features/connections/testing/identity-provider";
import {
  type LyingProvider,
  openLyingProvider,
} from "@/lib/features/connections/testing/lying-provider";
import { ProviderBrowser } from "@/lib/features/portal/testing/provider-browser";
import { member, providerWorld } from "@/lib/features/portal/testing/provider-world";
import { testServer } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const { world, connect, change } = providerWorld(send);
const now = () => Math.floor(Date.now() / 1000);
const events = { "http://schemas.openid.net/event/backchannel-logout": {} };

let liar: LyingProvider;
let connection: { id: string; providerId: string };

beforeEach(async () => {
  liar = await openLyingProvider();
  connection = await connect({ issuer: liar.issuer });
  return () => liar.close();
});

/** Signs in at the provider, whose session id is `sid`. Returns the headers of the resulting session. */
async function signIn(login: string, sid?: string) {
  const { providerId } = connection;
  const browser = new ProviderBrowser();
  const address = await browser.addressAtProvider(providerId);
  const claims = {
    ...{ iss: liar.issuer, aud: clientId, sub: login, iat: now(), exp: now() + 300 },
    ...{ nonce: address.searchParams.get("nonce"), sid },
    ...{ preferred_username: login, email: `${login}@shop.example`, name: login },
  };
  const idToken = await liar.sign(claims);
  liar.answer("/token", () => ({ body: { id_token: idToken } }));
  const back = new URL(`${publicUrl()}/api/auth/callback/${providerId}`);
  const state = address.searchParams.get("state") ?? "";
  back.search = new URLSearchParams({ code: "a code", state }).toString();
  expect((await browser.comeBack(back)).path).toBe(`/t/${world.tenant}`);
  const sessionId = (await browser.sessionOf(world.tenant)) ?? "";
  return { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": sessionId };
}

let made = 0;
const logout = (more: object = {}) => {
  made += 1;
  return {
    iss: liar.issuer,
    aud: clientId,
    iat: now(),
    jti: `${liar.issuer} ${made}`,
    events,
    ...more,
  };
};
const post = (token: string, providerId = connection.providerId) =>
  send(`POST /v1/sso/${providerId}/backchannel-logout`, {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    raw: new URLSearchParams({ logout_token: token, more: "ignored" }).toString(),
  });
const signOut = async (more: object) => post(await liar.sign(logout(more)));
const statusesOf = (all: Record<string, string>[]) =>
  Promise.all(all.map(async (headers) => (await send("GET /v1/user/session", { headers })).status));

describe("200", () => {
  test("of a session: its sessions end, in other tenants too, verifiers are informed, and no other session ends", async () => {
    const [first, second] = [await signIn("ada", "one"), await signIn("ada", "two")];
    const bob = await signIn("bob", "three");
    const { body: me } = await send("GET /v1/user/profile", { headers: first });
    const elsewhere = await makeTenant();
    await makeUser(elsewhere, { ...member, row: { userId: me.id, homeTenantId: world.tenant } });
    const noted = { userId: me.id, memberTenantId: elsewhere, notedAt: new Date() };
    await db()
      .insert(memberships)
      .values({ tenantId: world.tenant, ...noted });
    const switching = { headers: first, body: { tenant: elsewhere } };
    const { body: moved } = await send("POST /v1/user/session/switch", switching);
    const away = { "X-Service-Tenant": elsewhere, "X-Service-Session-Id": moved.sessionId };
    const token = await send("POST /v1/user/portal-token", { headers: first });
    const bearer = {
      "X-Service-Tenant": world.tenant,
      Authorization: `Bearer ${token.body.accessToken}`,
    };
    const row = { kind: "service" as const };
    const program = await makeUser(world.tenant, { roleIds: ["tenant.admin"], row });
    const key = await makeApiKey(world.tenant, program.userId, {
      permissions: ["credential.verify"],
    });
    const read = await send("GET /v1/access/revocations", { headers: key.headers });
    const next = /after=([^&>]+)/.exec(read.headers.get("link") ?? "")?.[1] ?? "";
    const all = [first, away, bearer, second, bob, world.headers];
    expect(await statusesOf(all)).toEqual([200, 200, 200, 200, 200, 200]);
    const answered = await signOut({ sid: "one" });
    expect([answered.status, answered.text]).toEqual([200, ""]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
    expect(await statusesOf(all)).toEqual([401, 401, 401, 200, 200, 200]);
    const { body: told } = await send(`GET /v1/access/revocations?after=${next}`, key);
    expect(told).toMatchObject([{ subjectKind: "session", effect: "ended" }]);
    const audit = await send("GET /v1/audit/events?action=session.ended", {
      headers: world.headers,
    });
    expect(audit.body[0].actor).toMatchObject({ type: "system", id: connection.id });
  });

  test("of a user: all sessions from the identity end, and those opened with a password stay", async () => {
    const [first, second, bob] = [
      await signIn("ada", "one"),
      await signIn("ada"),
      await signIn("bob"),
    ];
    const { body: me } = await send("GET /v1/user/profile", { headers: first });
    const own = (await makeSession(world.tenant, me.id)).headers;
    expect((await signOut({ sub: "ada" })).status).toBe(200);
    expect(await statusesOf([first, second, bob, own])).toEqual([401, 401, 200, 200]);
    expect((await signOut({ sub: "nobody here" })).status).toBe(200);
  });

  test("of a session and a user: sessions without a provider session id end too", async () => {
    const [named, unnamed, other] = [
      await signIn("ada", "one"),
      await signIn("ada"),
      await signIn("ada", "two"),
    ];
    expect((await signOut({ sid: "one", sub: "ada" })).status).toBe(200);
    expect(await statusesOf([named, unnamed, other])).toEqual([401, 401, 200]);
  });

  test("of a session shared by many users: all their sessions end, with one audit entry", async () => {
    const headers = await signIn("ada", "shared");
    const row = { connectionId: connection.id, providerSidHash: sha256("shared") };
    for (let n = 0; n < 20; n += 1) await makeSession(world.tenant, world.adminId, row);
    expect((await signOut({ sid: "shared" })).status).toBe(200);
    expect(await statusesOf([headers])).toEqual([401]);
    const audit = await send("GET /v1/audit/events?action=connection.sessions-ended", {
      headers: world.headers,
    });
    expect(audit.body[0].changes).toEqual({ sessions: { before: 21, after: 0 } });
  });
});

describe("400", () => {
  const wrong: [string, () => object | Promise<string>][] = [
    ["of another issuer", () => ({ iss: "https://evil.example" })],
    ["for another audience", () => ({ aud: "another client" })],
    ["issued before five minutes", () => ({ iat: now() - 320 })],
    ["issued in the future", () => ({ iat: now() + 60 })],
    ["that does not say when it was issued", () => ({ iat: undefined })],
    ["that has expired", () => ({ exp: now() - 60 })],
    ["without a jti", () => ({ jti: undefined })],
    ["with an empty jti", () => ({ jti: "" })],
    ["without an event", () => ({ events: undefined })],
    ["with another event", () => ({ events: { "http://schemas.openid.net/event/other": {} } })],
    ["whose event is no object", () => ({ events: { [Object.keys(events)[0] ?? ""]: true } })],
    ["whose events are a list", () => ({ events: [events] })],
    ["with a nonce, as an ID token has", () => ({ nonce: "any" })],
    ["of nobody", () => ({ sid: undefined })],
    ["whose sid is no text", () => ({ sid: 1 })],
    ["whose sub is no text", () => ({ sub: ["ada"] })],
    ["that is not signed", async () => new UnsecuredJWT(logout({ sid: "one" })).encode()],
    ["that is none", async () => "x.y.z"],
    [
      "of a key that the provider does not have",
      () => liar.sign(logout({ sid: "one" }), { kid: "other" }),
    ],
  ];

  test("an invalid token ends nothing", async () => {
    const headers = await signIn("ada", "one");
    for (const [what, given] of wrong) {
      const change = await given();
      const token =
        typeof change === "string" ? change : await liar.sign(logout({ sid: "one", ...change }));
      const { status, body } = await post(token);
      expect([status, body.code], what).toEqual([400, "sign-out.token-invalid"]);
    }
    expect(await statusesOf([headers])).toEqual([200]);
    expect((await signOut({ sid: "one" })).status).toBe(200);
  });

  test("a token signed by another provider, and a token of another connection", async () => {
    const headers = await signIn("ada", "one");
    const other = await openLyingProvider();
    const second = await connect({ name: "Second", issuer: other.issuer });
    expect((await post(await other.sign(logout({ sid: "one" })))).status).toBe(400);
    expect((await post(await liar.sign(logout({ sid: "one" })), second.providerId)).status).toBe(
      400,
    );
    const elsewhere = await other.sign(logout({ sid: "one", iss: other.issuer }));
    expect((await post(elsewhere, second.providerId)).status).toBe(200);
    expect(await statusesOf([headers])).toEqual([200]);
    await other.close();
  });

  test("each token is accepted once, also when it is sent 20 times concurrently", async () => {
    const token = await liar.sign(logout({ sid: "one" }));
    const all = await Promise.all(Array.from({ length: 20 }, () => post(token)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)]);
  });

  test("an unknown, foreign or disabled connection gets the same error as an invalid token", async () => {
    const token = await liar.sign(logout({ sid: "one" }));
    const said = async (providerId: string) => {
      const { status, body } = await post(token, providerId);
      const { requestId, instance, ...rest } = body;
      return JSON.stringify([status, rest]);
    };
    const { id, providerId } = connection;
    const known = await said((await connect({ name: "Second", clientId: "other" })).providerId);
    await change(id, { isEnabled: false });
    const unknown = [providerId, `${await makeTenant()}.${id}`, `${providerId}x`, "x", ".conn_x"];
    for (const one of unknown) expect(await said(one), one).toBe(known);
  });

  test("a provider that does not respond", async () => {
    await liar.close();
    expect((await post(await liar.sign(logout({ sid: "one" })))).status).toBe(400);
  });

  test("no token, two tokens, or a token that is too long", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const operation = `POST /v1/sso/${connection.providerId}/backchannel-logout`;
    for (const [raw, code] of [
      ["", "request.validation-failed"],
      ["logout_token=a&logout_token=b", "request.invalid-form"],
      [`logout_token=${"x".repeat(9000)}`, "request.validation-failed"],
    ] as const)
      expect((await send(operation, { headers, raw })).body.code).toBe(code);
  });
});

test("429: unknown callers cause at most ten key requests to a provider per minute, and known keys are still accepted", async () => {
  await signIn("ada", "one");
  vi.stubEnv("RATE_LIMITS", "on");
  const asked = liar.asked.get("/jwks") ?? 0;
  const sent = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      post(await liar.sign(logout({ sid: "one" }), { kid: `unknown-${n}` })),
    ),
  );
  expect(sent.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(400), 429, 429]);
  expect((liar.asked.get("/jwks") ?? 0) - asked).toBe(10);
  expect((await signOut({ sid: "one" })).status).toBe(200);
});
