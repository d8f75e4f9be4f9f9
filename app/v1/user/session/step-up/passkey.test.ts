import { beforeEach, describe, expect, test } from "vitest";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { flushFailedLogins } from "@/lib/features/sessions/failed-logins";
import type { newAuthenticator } from "@/lib/features/sessions/second-factors/testing/authenticator";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { addPasskey, openAt } from "@/lib/setup/testing/passkeys";

const send = testServer();
let tenant: string;
let userId: string;
let device: ReturnType<typeof newAuthenticator>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", roleIds: ["portal.default"] }));
  ({ made: device } = await addPasskey(send, tenant, userId));
});

const optionsAt = async (at = tenant) =>
  (
    await send("POST /v1/user/passkey-login/options", {
      headers: { "X-Service-Tenant": at },
      body: { tenant: at },
    })
  ).body;
const enter = (passkey: object, at: string) =>
  send("POST /v1/user/passkey-login", {
    headers: { "X-Service-Tenant": at },
    body: { tenant: at, passkey },
  });
const entries = async (action: string) =>
  (await trailOf(tenant)).filter((entry) => entry.action === action);

describe("step-up by a passkey", () => {
  const stepUp = async (headers: Record<string, string>, passkey: object) =>
    send("POST /v1/user/session/step-up", { headers, body: { passkey } });
  const stale = () =>
    openAt(tenant, userId, tenant, { authenticatedAt: new Date(Date.now() - 16 * 60_000) });

  test("is offered by the service, and works once", async () => {
    const { headers } = await stale();
    const asked = await send("POST /v1/user/passkeys/options", { headers });
    expect(asked.body).toMatchObject({ code: "auth.step-up-required", reason: "passkey" });
    const passkey = device.get(await optionsAt());
    const proven = await stepUp(headers, passkey);
    expect(proven.body.authenticatedBy).toEqual(["passkey"]);
    expect((await send("POST /v1/user/passkeys/options", { headers })).status).toBe(200);
    expect((await stepUp(headers, passkey)).body.reason).toBe("/passkey");
  });

  test("400 for another user's passkey", async () => {
    const eve = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { made } = await addPasskey(send, tenant, eve.userId);
    const { headers } = await stale();
    const refused = await stepUp(headers, made.get(await optionsAt()));
    expect([refused.status, refused.body.reason]).toEqual([400, "/passkey"]);
    await flushFailedLogins();
    expect(await entries("session.second-factor-failed")).toMatchObject([
      { target: { id: userId }, result: "failure" },
    ]);
  });

  test("a member of another tenant steps up with the passkey of the home tenant", async () => {
    const other = await makeTenant();
    await makeUser(other, { roleIds: ["portal.default"], row: { userId, homeTenantId: tenant } });
    const member = await openAt(other, userId, tenant);
    expect((await stepUp(member.headers, device.get(await optionsAt(other)))).status).toBe(200);
    expect((await enter(device.get(await optionsAt(other)), other)).status).toBe(401);
  });
});

test("wrong codes do not delay a passkey", async () => {
  stopClock();
  const { code } = await makeFactor(tenant, userId);
  const wrong = code() === "000000" ? "000001" : "000000";
  const { headers } = await openAt(tenant, userId);
  const stepUp = (body: object) => send("POST /v1/user/session/step-up", { headers, body });
  for (let n = 0; n < 6; n += 1) await stepUp({ code: wrong });
  expect((await stepUp({ code: wrong })).status).toBe(429);
  expect((await stepUp({ passkey: device.get(await optionsAt()) })).status).toBe(200);
});
