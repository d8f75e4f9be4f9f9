import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { secondFactors } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  type Deviation,
  newAuthenticator,
} from "@/lib/features/sessions/second-factors/testing/authenticator";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** A root certificate, and one issued by it whose CRL address is http://127.0.0.1:9/revoked; both valid for a century. */
const certificates = {
  root: Buffer.from(
    "MIIBiDCCAS+gAwIBAgIUSLbjpHsLpR6zsY3w5qN8pk1GeNAwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOUm9vdCBvZiBhIHRl" +
      "c3QwIBcNMjYxMTI2MTgwMTAwWhgPMjEyNjExMDIxODAxMDBaMBkxFzAVBgNVBAMMDlJvb3Qgb2YgYSB0ZXN0MFkwEwYHKoZI" +
      "zj0CAQYIKoZIzj0DAQcDQgAEWT9RsqKp9e6pG2R641+03r0LnqDp5Bodazx+FyBI54RMakhuzGI+9ADtnY6phKkaYX3XBI//" +
      "udqqiJooxBs+m6NTMFEwHQYDVR0OBBYEFGeNKxqWt0TtoDB+fq8ZeqlE7WXaMB8GA1UdIwQYMBaAFGeNKxqWt0TtoDB+fq8Z" +
      "eqlE7WXaMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIfPS7Igz4UrX26qkMRL/v8IA94Bggz6ZYzZ+70iTd0" +
      "IQIhAKk3yVXX6oooR34qTY2HXs0+gdhbRDVQQ66fpG2YuEym",
    "base64",
  ),
  leaf: Buffer.from(
    "MIIBpTCCAUugAwIBAgIUItWH1ib83zP3FdLUU7Q3+wY7eHUwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOUm9vdCBvZiBhIHRl" +
      "c3QwIBcNMjYxMTI2MTgwMTAwWhgPMjEyNjExMDIxODAxMDBaMBkxFzAVBgNVBAMMDkxlYWYgb2YgYSB0ZXN0MFkwEwYHKoZI" +
      "zj0CAQYIKoZIzj0DAQcDQgAEBzEXnOu4ulmWTw1a4G/6F/J+hiE3rlFvEGcRg0EwPosoIpn9lw2/AgTa79RgfX6WSMHYN8bd" +
      "Rv0WlF0YqhE29KNvMG0wKwYDVR0fBCQwIjAgoB6gHIYaaHR0cDovLzEyNy4wLjAuMTo5L3Jldm9rZWQwHQYDVR0OBBYEFBlW" +
      "t/QYDNmTzSGKIwIiD4Q73PPPMB8GA1UdIwQYMBaAFGeNKxqWt0TtoDB+fq8ZeqlE7WXaMAoGCCqGSM49BAMCA0gAMEUCIQDX" +
      "YAcaSnsFilCWNsG04jqvCEt8br6Tc8kxe6sC90sjXQIgYUAeJsjVP5SLJGlxFbXCElmr4JvJa5UMIkfMLnlnAiU=",
    "base64",
  ),
};

const send = testServer();
const path = "/v1/user/passkeys";
let tenant: string;
let userId: string;
let headers: Record<string, string>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", roleIds: ["portal.default"] }));
  ({ headers } = await makeSession(tenant, userId));
});

const optionsFor = async (as = headers) =>
  (await send(`POST ${path}/options`, { headers: as })).body;
const add = (passkey: object, as = headers, name = "laptop") =>
  send(`POST ${path}`, { headers: as, body: { name, passkey } });
const list = async () => (await send("GET /v1/user/second-factors", { headers })).body;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe("201", () => {
  test("the first one returns ten recovery codes, ends other sessions, and is in list and audit trail", async () => {
    const { headers: other } = await makeSession(tenant, userId);
    const {
      status,
      body,
      headers: answered,
    } = await add(newAuthenticator().create(await optionsFor()));
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ kind: "passkey", name: "laptop" });
    expect(body.recoveryCodes).toHaveLength(10);
    expect(answered.get("location")).toBe(`/v1/user/second-factors/${body.id}`);
    expect((await send("GET /v1/user/session", { headers: other })).status).toBe(401);
    expect(await list()).toMatchObject([{ id: body.id, kind: "passkey", name: "laptop" }]);
    expect((await trailOf(tenant)).at(-1)).toMatchObject({
      action: "user.second-factor-added",
      changes: { secondFactor: { after: { kind: "passkey", name: "laptop" } } },
    });
  });

  test("a second one returns no codes; the options exclude the user's passkeys and contain no user id", async () => {
    const first = newAuthenticator();
    await add(first.create(await optionsFor()));
    const options = await optionsFor();
    expect(options.excludeCredentials).toMatchObject([
      { id: first.id, transports: ["internal", "hybrid"] },
    ]);
    expect(options.user.name).toBe(`ann (${tenant})`);
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
    expect(Buffer.from(options.user.id, "base64url").toString("latin1")).not.toContain(userId);
    const { status, body } = await add(newAuthenticator().create(options));
    expect([status, body.recoveryCodes]).toEqual([201, undefined]);
    expect(await list()).toHaveLength(2);
  });

  test("attestations are ignored: no address in their certificates is requested", async () => {
    const { SettingsService } = await import("@simplewebauthn/server");
    const former = SettingsService.getRootCertificates({ identifier: "apple" });
    SettingsService.setRootCertificates({ identifier: "apple", certificates: [certificates.root] });
    const asked = vi.spyOn(globalThis, "fetch");
    const statement = { format: "apple", certificates: [certificates.leaf] };
    const answer = await add(newAuthenticator().create(await optionsFor(), { statement }));
    const urls = asked.mock.calls.map(([url]) => String(url));
    asked.mockRestore();
    SettingsService.setRootCertificates({ identifier: "apple", certificates: former });
    expect(urls.filter((url) => url.includes("revoked"))).toEqual([]);
    expect(answer.status, answer.text).toBe(201);
  });

  test("in addition to five authenticator apps, which have another limit", async () => {
    for (let n = 0; n < 5; n += 1) await makeFactor(tenant, userId);
    expect((await add(newAuthenticator().create(await optionsFor()))).status).toBe(201);
    const app = { headers, body: { kind: "totp" } };
    expect((await send("POST /v1/user/second-factors", app)).body.code).toBe(
      "second-factor.limit-reached",
    );
  });
});

describe("400: nothing is added", () => {
  test.each<[string, Deviation]>([
    ["at another origin", { origin: "https://evil.example" }],
    ["for another host", { host: "evil.example" }],
    ["in a frame of another page", { crossOrigin: true }],
    ["without the person verified", { isVerified: false }],
    ["by a sign-in", { type: "webauthn.get" }],
  ])("for a passkey made %s", async (_, given) => {
    const { status, body } = await add(newAuthenticator().create(await optionsFor(), given));
    expect([status, body.reason]).toEqual([400, "/passkey"]);
    expect(await list()).toEqual([]);
  });

  test("for a challenge of another session, of a sign-in, of no one, or used before", async () => {
    const { headers: other } = await makeSession(tenant, userId);
    const device = newAuthenticator();
    const made = device.create(await optionsFor(other));
    const login = await send("POST /v1/user/passkey-login/options", {
      headers: { "X-Service-Tenant": tenant },
      body: { tenant },
    });
    const user = { id: "AAAA" };
    const own = Buffer.alloc(52, 7).toString("base64url");
    for (const challenge of [login.body.challenge, own, "AAAA"])
      expect((await add(device.create({ challenge, user }))).status).toBe(400);
    expect((await add(made)).status).toBe(400);
    const fine = newAuthenticator().create(await optionsFor());
    expect((await add(fine)).status).toBe(201);
    expect((await add(fine)).body.reason).toBe("/passkey");
    expect(await list()).toHaveLength(1);
  });

  test("for a passkey that a user of the tenant has", async () => {
    const device = newAuthenticator();
    const eve = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { headers: hers } = await makeSession(tenant, eve.userId);
    expect((await add(device.create(await optionsFor(hers)), hers)).status).toBe(201);
    expect((await add(device.create(await optionsFor()))).status).toBe(400);
  });

  test("for invalid passkeys", async () => {
    const made = newAuthenticator().create(await optionsFor());
    const clientDataJSON = Buffer.from("no JSON").toString("base64url");
    const broken = { ...made, response: { ...made.response, clientDataJSON } };
    expect((await add(broken)).status).toBe(400);
    const cut = { ...made, response: { ...made.response, attestationObject: "AAAA" } };
    expect((await add(cut)).status).toBe(400);
  });
});

test("401 for a stolen session without recent authentication, for options and passkey", async () => {
  const { headers: old } = await makeSession(tenant, userId, { authenticatedAt: minutesAgo(16) });
  for (const answer of [
    await send(`POST ${path}/options`, { headers: old }),
    await add(newAuthenticator().create(await optionsFor()), old),
  ])
    expect(answer.body).toMatchObject({ code: "auth.step-up-required", reason: "password" });
});

test("403 outside the home tenant, 409 for a program and for an eleventh passkey", async () => {
  const codesFor = async (as: Record<string, string>) => [
    (await send(`POST ${path}/options`, { headers: as })).body.code,
    (await add(newAuthenticator().create(await optionsFor()), as)).body.code,
  ];
  const other = await makeTenant();
  await makeUser(other, { roleIds: ["portal.default"], row: { userId, homeTenantId: tenant } });
  const member = await makeSession(other, userId);
  expect(await codesFor(member.headers)).toEqual(["user.other-home", "user.other-home"]);
  const row = { kind: "service" as const };
  const program = await makeUser(tenant, { roleIds: ["portal.default"], row });
  const { headers: theirs } = await makeSession(tenant, program.userId);
  expect(await codesFor(theirs)).toEqual(["user.no-password", "user.no-password"]);
  const last = await optionsFor();
  for (let n = 0; n < 10; n += 1)
    expect((await add(newAuthenticator().create(await optionsFor()))).status).toBe(201);
  expect((await send(`POST ${path}/options`, { headers })).body.code).toBe(
    "second-factor.limit-reached",
  );
  expect((await add(newAuthenticator().create(last))).body.code).toBe(
    "second-factor.limit-reached",
  );
});

test("of 20 concurrent additions with one challenge one succeeds", async () => {
  const options = await optionsFor();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => add(newAuthenticator().create(options))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const rows = await db().select().from(secondFactors).where(eq(secondFactors.tenantId, tenant));
  expect(rows).toHaveLength(1);
});
