import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { flushNetworks } from "@/lib/access/known-networks";
import { db } from "@/lib/database/open";
import { knownNetworks, signInChallenges } from "@/lib/database/schema/schema";
import { codeOf, makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** The test acts as the proxy that reports the request's address. */
const send = testServer({ trusted: trustedProxies("127.0.0.1") });
const password = "correct horse battery";
let tenant: string;
let userId: string;
let factor: Awaited<ReturnType<typeof makeFactor>>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  factor = await makeFactor(tenant, userId);
});

const logIn = async () => {
  const headers = { "X-Service-Tenant": tenant };
  const body = { login: "ann", tenant, password };
  return (await send("POST /v1/user/session-login", { headers, body })).body.reason as string;
};
const finish = async (challenge: string) => {
  const headers = { "X-Service-Tenant": tenant };
  const body = { challenge, code: factor.code() };
  const answer = await send("POST /v1/user/session-login/second-factor", { headers, body });
  expect(answer.status, answer.text).toBe(200);
};
const countOf = (table: typeof knownNetworks | typeof signInChallenges) =>
  db().$count(table, eq(table.tenantId, tenant));

test("a right password does not make a network known before the code: only a session does", async () => {
  const challenge = await logIn();
  await flushNetworks();
  expect(await countOf(knownNetworks)).toBe(0);
  await finish(challenge);
  await flushNetworks();
  expect(await countOf(knownNetworks)).toBe(2);
});

test("erasing a user deletes sign-ins that wait for a code, and the networks of both steps", async () => {
  await finish(await logIn());
  await logIn();
  await flushNetworks();
  expect([await countOf(knownNetworks), await countOf(signInChallenges)]).toEqual([2, 1]);
  const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, boss.userId);
  for (const verb of ["deactivate", "erase"]) {
    const body = { reason: "Ticket 4711" };
    const answer = await send(`POST /v1/user/${userId}/${verb}`, { headers, body });
    expect(answer.status, answer.text).toBe(200);
  }
  expect([await countOf(knownNetworks), await countOf(signInChallenges)]).toEqual([0, 0]);
});

test("strangers' wrong codes do not keep out the user who has just confirmed an app", async () => {
  stopClock();
  const { userId: bob } = await makeUser(tenant, {
    ...{ login: "bob", password, roleIds: ["portal.default"] },
  });
  const { headers } = await makeSession(tenant, bob);
  const factors = "POST /v1/user/second-factors";
  const { id, secret } = (await send(factors, { headers, body: { kind: "totp" } })).body;
  const given = { headers, body: { code: codeOf(secret) } };
  const { recoveryCodes } = (await send(`${factors}/${id}/confirm`, given)).body;
  const tryCode = async (from: string) => {
    const there = { "X-Service-Tenant": tenant, "X-Forwarded-For": from };
    const who = { headers: there, body: { login: "bob", tenant, password } };
    const { reason: challenge } = (await send("POST /v1/user/session-login", who)).body;
    const wrong = { headers: there, body: { challenge, recoveryCode: "00000-00000" } };
    return send("POST /v1/user/session-login/second-factor", wrong);
  };
  for (let n = 0; n < 8; n += 1) await tryCode(`198.51.${n}.1`);
  expect((await tryCode("198.51.100.1")).body.code).toBe("auth.too-many-attempts");
  const proof = { headers, body: { recoveryCode: recoveryCodes[0] } };
  const proven = await send("POST /v1/user/session/step-up", proof);
  expect(proven.status, proven.text).toBe(200);
});
