import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "@/lib/catalogue/testing/random-requests";
import { raceDepartures } from "@/lib/features/connections/provisioning/testing/departure-races";
import { connect } from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { clientId } from "@/lib/features/connections/testing/identity-provider";
import { openLyingProvider } from "@/lib/features/connections/testing/lying-provider";
import {
  testCertificate,
  testKey,
} from "@/lib/features/destinations/audit-streams/testing/certificate";
import { beginOneSignIn } from "@/lib/features/portal/testing/one-nonce";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import {
  type Asked,
  credentialsOf,
  keepAsking,
  keepVerifying,
  makeVerifiers,
} from "@/lib/features/verification/testing/asking";
import { type Send, sendTo } from "@/lib/http/testing/test-server";
import {
  ensureBuilt,
  makeStoreFolder,
  type Product,
  startProduct,
} from "@/lib/server/testing/product";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const callers = 200;
const publicUrl = "http://localhost:3000";
let nodes: Product[] = [];

beforeAll(async () => {
  ensureBuilt();
  const folder = makeStoreFolder();
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, testCertificate);
  const env = {
    ...{ RATE_LIMITS: "off", PUBLIC_URL: publicUrl },
    ...{ WEBHOOK_NETWORKS: "127.0.0.1", NODE_EXTRA_CA_CERTS: ca },
  };
  nodes = await Promise.all([startProduct(folder, env), startProduct(folder, env)]);
}, 180_000);

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

/** The statuses of the responses. A 503 under load is not about the credential. */
const answersIn = (all: Asked[]) =>
  new Set(all.map(({ status }) => status).filter((status) => status !== 503));

const urls = () => nodes.map(({ url }) => url) as [string, string];

async function provisioned(send: Send, headers: Record<string, string>) {
  const { path, token } = await connect(send, headers);
  const as = { Authorization: `Bearer ${token}`, "Content-Type": "application/scim+json" };
  const person = { userName: "ada", displayName: "Ada", emails: [{ value: "ada@shop.example" }] };
  const made = await send(`POST ${path}/Users`, { headers: as, raw: JSON.stringify(person) });
  expect(made.status, made.text).toBe(201);
  const { id } = JSON.parse(made.text) as { id: string };
  const gone = { Operations: [{ op: "Replace", path: "active", value: "False" }] };
  const deactivate = () =>
    send(`PATCH ${path}/Users/${id}`, { headers: as, raw: JSON.stringify(gone) });
  return { userId: id, deactivate };
}

test("a lock, and a deactivation by the identity provider, affect 200 callers by session, key, bearer and a verifier's cache on two processes within a second", async () => {
  const tenant = await makeTenant();
  const admin = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const [first, second] = urls();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const other = await provisioned(sendTo(first), admin.headers);
  const locking = await credentialsOf(urls()[0], tenant, userId);
  const leaving = await credentialsOf(urls()[0], tenant, other.userId);

  const [asked, askedByOther]: [Asked[], Asked[]] = [[], []];
  let isOver = false;
  const verifiers = await makeVerifiers(tenant, urls());
  const keyOf = ([, key]: Record<string, string>[]) => key?.["X-Service-API-Key"] ?? "";
  for (const verifier of verifiers) {
    const verdict = await verifier.verify({ apiKey: keyOf(leaving), wholeTenant: true });
    expect(verdict).toMatchObject({ active: true, cacheFor: expect.any(Number) });
    expect(verdict.cacheFor).toBeGreaterThan(1);
  }
  const load = Promise.all(
    Array.from({ length: callers }, (_, n) => {
      const isOther = n % 4 > 1;
      const own = isOther ? leaving : locking;
      const headers = own[n % 3] ?? {};
      const notes = isOther ? askedByOther : asked;
      if (n % 5 === 0)
        return keepVerifying(verifiers[n % 2 ? 0 : 1], keyOf(own), notes, () => isOver);
      return keepAsking(n % 2 ? first : second, headers, notes, () => isOver);
    }),
  );
  while (Math.min(asked.length, askedByOther.length) <= callers) await pause(20);
  const headers = { ...admin.headers, "Content-Type": "application/json" };
  let askedToLockAt = performance.now();
  const lock = () => {
    askedToLockAt = performance.now();
    const body = JSON.stringify({ reason: "test" });
    return fetch(`${first}/v1/user/${userId}/lock`, { method: "POST", headers, body });
  };
  let locked = await lock();
  // Under load a server may reject some of 200 concurrent requests, and this one too: then nothing is locked.
  for (; locked.status === 503; locked = await lock())
    await pause(1000 * Number(locked.headers.get("retry-after")));
  expect(locked.status).toBe(200);
  let gone = await other.deactivate();
  for (; gone.status === 503; gone = await other.deactivate())
    await pause(1000 * Number(gone.headers.get("retry-after")));
  const at = performance.now();
  expect(gone.status, gone.text).toBe(200);
  const lateOf = (all: Asked[]) => all.filter(({ startedAt }) => startedAt > at + 1000);
  const late = () => lateOf(asked);
  while (Math.min(late().length, lateOf(askedByOther).length) <= callers) await pause(100);
  isOver = true;
  await load;
  await Promise.all(verifiers.map((verifier) => verifier.close()));

  const before = asked.filter(({ answeredAt }) => answeredAt < askedToLockAt);
  expect(before.length).toBeGreaterThan(callers);
  expect(answersIn(before)).toEqual(new Set([200]));
  expect(answersIn(late())).toEqual(new Set([403]));
  expect(answersIn(askedByOther)).toContain(200);
  expect(answersIn(lateOf(askedByOther))).not.toContain(200);
});

test("a role ends exactly at its expiry on two processes that had cached it, by session, key and bearer", async () => {
  const tenant = await makeTenant();
  const [first, second] = urls();
  const { headers } = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const credentials = await credentialsOf(urls()[0], tenant, userId);
  /** Grants a role for this time; returns the statuses of the responses received before its end. */
  const grantedFor = async (milliseconds: number) => {
    const end = Date.now() + milliseconds;
    const expiresAt = { "portal.users.mgmt": new Date(end).toISOString() };
    const body = { roleIds: ["portal.default", "portal.users.mgmt"], sites: {}, expiresAt };
    const roles = { headers: { ...headers, "If-Match": "*" }, body };
    await sendTo(first)(`PUT /v1/user/${userId}/roles`, roles);
    const asked: Asked[] = [];
    while ((asked.at(-1)?.startedAt ?? 0) < end + 1000) {
      const round = [first, second].flatMap((url) =>
        credentials.map(async (given) => {
          const startedAt = Date.now();
          const { status } = await sendTo(url)("GET /v1/user/list", { headers: given });
          asked.push({ startedAt, answeredAt: Date.now(), status });
        }),
      );
      await Promise.all(round);
      await pause(100);
    }
    const after = asked.filter(({ startedAt }) => startedAt >= end);
    expect(answersIn(after)).toEqual(new Set([403]));
    return asked.filter(({ answeredAt }) => answeredAt < end).map(({ status }) => status);
  };
  // A process that had cached the old roles learns of the grant within a second. On a slow machine the grant is longer.
  for (let ms = 1500; !(await grantedFor(ms)).includes(200); ) ms *= 2;
});

/** RACES sets the number of rounds. */
const races = Number(process.env.RACES) || 20;

test("a lock or deactivation concurrent with a sign-in, a new bearer or key, or a call leaves nothing that works a second later", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers: admin } = await makeSession(tenant, userId);
  const places = urls().map((url) => sendTo(url)) as [Send, Send];
  const random = seededRandom(races);
  expect(await raceDepartures(races, { tenant, admin, places, random })).toEqual([]);
}, 900_000);

const parallel = 50;

/** The number of accepted uses among 50 concurrent ones, half of them on each process. */
async function winners(use: (send: Send, n: number) => Promise<{ status: number }>) {
  const [first, second] = urls().map((url) => sendTo(url)) as [Send, Send];
  const all = await Promise.all(
    Array.from({ length: parallel }, (_, n) => use(n % 2 ? first : second, n)),
  );
  return all.filter(({ status }) => status < 300).length;
}

test("a code, a recovery code, a challenge, a link, a logout token and a nonce work once: of 50 uses on two processes one is accepted", async () => {
  const tenant = await makeTenant();
  const here = { "X-Service-Tenant": tenant };
  const password = "correct horse battery";
  const admin = await makeUser(tenant, { roleIds: ["tenant.admin"], login: "root" });
  const { headers } = await makeSession(tenant, admin.userId);
  // One user for each, because the 49 others count as that user's wrong codes.
  const person = async (login: string) => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"], login, password });
    const factor = await makeFactor(tenant, userId);
    const made = Array.from({ length: 20 }, () => makeSession(tenant, userId));
    const sessions = await Promise.all(made);
    const stepUp = (body: object) =>
      winners((to, n) => to("POST /v1/user/session/step-up", { ...sessions[n % 20], body }));
    return { userId, ...factor, stepUp };
  };
  const { userId, recoveryCodes } = await person("ada");
  const [bea, cy] = [await person("bea"), await person("cy")];
  const send = sendTo(urls()[0]);

  const body = { login: "ada", tenant, password };
  const asked = await send("POST /v1/user/session-login", { headers: here, body });
  expect(asked.body.code).toBe("auth.second-factor-required");
  const answer = { challenge: asked.body.reason, recoveryCode: recoveryCodes[0] };
  const operation = "POST /v1/user/session-login/second-factor";
  expect(await winners((to) => to(operation, { headers: here, body: answer }))).toBe(1);
  expect(await bea.stepUp({ code: bea.code() })).toBe(1);
  expect(await cy.stepUp({ recoveryCode: cy.recoveryCodes[0] })).toBe(1);

  const link = await send(`POST /v1/user/${userId}/password-reset`, { headers });
  const next = { token: link.body.token, password: "another horse battery" };
  const confirm = "POST /v1/user/password-resets/confirm";
  expect(await winners((to) => to(confirm, { headers: here, body: next }))).toBe(1);

  const liar = await openLyingProvider({ key: testKey, cert: testCertificate });
  const made = await send("POST /v1/tenant/connections", {
    headers,
    body: {
      ...{ name: "Any", issuer: liar.issuer, clientId, clientSecret: "any", isEnabled: true },
      provisioning: "on-first-sign-in",
    },
  });
  expect(made.status, made.text).toBe(201);
  const { pathname } = new URL(made.body.backchannelLogoutUri);
  const token = await liar.sign({
    ...{ iss: liar.issuer, aud: clientId, iat: Math.floor(Date.now() / 1000), sub: "ada" },
    ...{ jti: "once", events: { "http://schemas.openid.net/event/backchannel-logout": {} } },
  });
  const raw = new URLSearchParams({ logout_token: token }).toString();
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  expect(await winners((to) => to(`POST ${pathname}`, { headers: form, raw }))).toBe(1);

  const began = { url: urls()[0], publicUrl, providerId: `${tenant}.${made.body.id}` };
  const comeBack = await beginOneSignIn(liar, began);
  const arrivals = Array.from({ length: parallel }, (_, n) => comeBack(urls()[n % 2 ? 0 : 1]));
  expect((await Promise.all(arrivals)).filter(Boolean)).toHaveLength(1);
  await liar.close();
});
