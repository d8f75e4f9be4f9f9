import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { codeFailures, recoveryCodes, secondFactors, users } from "@/lib/database/schema/schema";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { log } from "@/lib/protocol/log";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;
let factor: Awaited<ReturnType<typeof makeFactor>>;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
  factor = await makeFactor(tenant, userId);
});

const challengeOf = async () => {
  const body = { login: "ann", tenant, password };
  const given = { headers: { "X-Service-Tenant": tenant }, body };
  return (await send("POST /v1/user/session-login", given)).body.reason as string;
};
const finish = (body: object) =>
  send("POST /v1/user/session-login/second-factor", {
    headers: { "X-Service-Tenant": tenant },
    body,
  });
const wrongCode = () => (factor.code() === "000000" ? "000001" : "000000");

describe("409 second-factor.unreadable: encrypted with a SECRET_KEY that is lost", () => {
  const lose = async () => {
    const secret = Buffer.alloc(48, 7);
    await db().update(secondFactors).set({ secret }).where(eq(secondFactors.tenantId, tenant));
    await db()
      .update(recoveryCodes)
      .set({ hashKey: secret })
      .where(eq(recoveryCodes.tenantId, tenant));
  };

  test("an app and recovery codes report it in a sentence and in the log, and it does not count as an attempt", async () => {
    await lose();
    const logged = vi.spyOn(log(), "error").mockReturnValue();
    const challenge = await challengeOf();
    for (const body of [{ code: "123456" }, { recoveryCode: factor.recoveryCodes[0] }]) {
      const answer = await finish({ challenge, ...body });
      expect([answer.status, answer.body.code]).toEqual([409, "second-factor.unreadable"]);
      expect(answer.body.detail).toContain("the key of the service was replaced");
    }
    expect(logged).toHaveBeenCalledTimes(2);
    logged.mockRestore();
  });

  test("a step-up too", async () => {
    await lose();
    vi.spyOn(log(), "error").mockReturnValue();
    const { headers } = await makeSession(tenant, userId);
    const given = { headers, body: { code: "123456" } };
    const answer = await send("POST /v1/user/session/step-up", given);
    expect(answer.body.code).toBe("second-factor.unreadable");
    vi.restoreAllMocks();
  });
});

test("of 50 concurrent wrong codes few are checked: they are counted in the store for all processes", async () => {
  const { headers } = await makeSession(tenant, userId);
  const code = wrongCode();
  const tryCode = () => send("POST /v1/user/session/step-up", { headers, body: { code } });
  const answers = await Promise.all(Array.from({ length: 50 }, tryCode));
  const statuses = answers.map(({ status }) => status);
  const checked = statuses.filter((status) => status === 400).length;
  // Six at once; the delay doubles for each further one.
  expect(checked).toBeGreaterThanOrEqual(5);
  expect(checked).toBeLessThanOrEqual(12);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  const rows = await db().select().from(codeFailures).where(eq(codeFailures.tenantId, tenant));
  expect(rows.map(({ failures }) => failures)).toEqual([checked]);
});

test("a recovery code is not used up when no session opens", async () => {
  const challenge = await challengeOf();
  const row = and(eq(users.tenantId, tenant), eq(users.userId, userId));
  const [before] = await db().select().from(users).where(row);
  // Simulates a password change between the check and the session.
  await db().update(users).set({ credentialEpoch: 5 }).where(row);
  const proof = { recoveryCode: factor.recoveryCodes[0] };
  expect((await finish({ challenge, ...proof })).status).toBe(401);
  await db()
    .update(users)
    .set({ credentialEpoch: before?.credentialEpoch ?? 0 })
    .where(row);
  expect((await finish({ challenge, ...proof })).status).toBe(200);
});
