import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const { verdict } = verifying(send, () => verifier);
let tenant: string;
let verifier: Headers;
let manager: Headers;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  verifier = await makeVerifier(tenant);
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  manager = (await makeSession(tenant, userId)).headers;
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

describe("a verified credential", () => {
  test("counts as a use of the key, from the given address", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    await verdict({ apiKey, address: "192.0.2.7" });
    const { body } = await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: manager });
    expect(body).toMatchObject({
      lastUsedIp: "192.0.2.7",
      lastUsedOperation: "POST /v1/access/verify",
    });
  });

  test("a rejected key is not counted as used", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId, { suspendedAt: new Date() });
    await verdict({ apiKey });
    const { body } = await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: manager });
    expect(body.lastUsedAt).toBeNull();
  });

  test("a revoked key is not active in any response after the revocation", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    for (let round = 0; round < 20; round += 1) {
      const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
      expect((await verdict({ apiKey })).active).toBe(true);
      const racing = Array.from({ length: 8 }, () => verdict({ apiKey }));
      const revoked = await send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers });
      expect(revoked.status).toBe(204);
      expect((await verdict({ apiKey })).code).toBe("REVOKED");
      await Promise.all(racing);
      expect((await verdict({ apiKey })).code).toBe("REVOKED");
    }
  });

  test("an Idempotency-Key replays no earlier response, and none is stored", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const again = { ...verifier, "Idempotency-Key": "same" };
    expect((await verdict({ apiKey }, again)).active).toBe(true);
    await send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers });
    expect((await verdict({ apiKey }, again)).active).toBe(false);
    const kept = await db()
      .select({ tenantId: idempotentAnswers.tenantId })
      .from(idempotentAnswers)
      .where(eq(idempotentAnswers.tenantId, tenant));
    expect(kept).toEqual([]);
  });
});
