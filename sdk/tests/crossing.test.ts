import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { createClient, type Gatehouse } from "@/sdk/src/index.js";
import { Network, verifiersAt, warm } from "./testing/verifiers";

const send = testServer();
let tenant: string;
let userId: string;
let verifyKey: string;
let admin: Gatehouse;
const verifiers = verifiersAt(() => ({ url: send.url(), tenant, verifyKey }));

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  verifyKey = (await makeApiKey(tenant, userId)).apiKey;
  const { sessionId } = await makeSession(tenant, userId);
  admin = createClient({ url: send.url(), tenant, sessionId });
});
afterAll(async () => {
  delete process.env.RATE_LIMITS;
  await verifiers.close();
});

/** Verifies a key that changes while the response is in transit and the feed reports it: returns this answer and the next one. */
async function cross(change: (apiKeyId: string) => Promise<unknown>) {
  const network = new Network();
  const verifier = verifiers.open(network);
  await warm(verifier, network, verifyKey);
  const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  network.hold = { path: /verify$/, until };
  const before = network.count("/verify");
  const crossing = verifier.verify({ wholeTenant: true, apiKey });
  await expect.poll(() => network.count("/verify")).toBe(before + 1);
  // The service has applied the change when it reports it for the same key to another client.
  await admin.with({ sessionId: undefined, apiKey: verifyKey }).verify({ apiKey });
  await change(apiKeyId);
  const polls = network.count("/revocations");
  await expect.poll(() => network.count("/revocations")).toBeGreaterThan(polls + 2);
  network.hold = undefined;
  release();
  return [(await crossing).code, (await verifier.verify({ wholeTenant: true, apiKey })).code];
}

describe("an answer that crosses a feed item", () => {
  test("is not active when the credential has ended", async () => {
    expect(await cross((apiKeyId) => admin.keys.revoke({ apiKeyId }))).toEqual([
      "REVOKED",
      "REVOKED",
    ]);
  });

  test("is not cached when the credential has changed", async () => {
    const [, next] = await cross((apiKeyId) => admin.keys.suspend({ apiKeyId }));
    expect(next).toBe("SUSPENDED");
  });
});
