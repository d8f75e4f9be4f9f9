import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let verifier: Headers;
let userId: string;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  const owner = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  verifier = (await makeApiKey(tenant, owner.userId)).headers;
  ({ userId } = await makeUser(tenant, { roleIds: ["portal.default"] }));
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

async function verdict(credential: object) {
  const body = { credentials: [credential] };
  const answer = await send("POST /v1/access/verify", { headers: verifier, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body[0];
}

const limited = (rateLimit: number) =>
  makeApiKey(tenant, userId, { rateLimit, rateWindowSeconds: 86_400 });

describe("uses taken in advance", () => {
  // A rate window could end during a test.
  beforeEach(stopClock);

  test("are reported with the end of the window, and the response may be reused", async () => {
    const { apiKey } = await limited(100);
    const { rateLimit, cacheFor, active } = await verdict({ apiKey, uses: 5 });
    expect(active).toBe(true);
    expect(cacheFor).toBe(60);
    expect(rateLimit).toMatchObject({ limit: 100, window: "P1D", granted: 5 });
    expect(rateLimit.resetMs).toBeGreaterThan(0);
    expect(rateLimit.resetMs).toBeLessThanOrEqual(86_400_000);
  });

  test("never exceed the limit, however many verifiers request them", async () => {
    const { apiKey } = await limited(50);
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => verdict({ apiKey, uses: (index % 7) + 1 })),
    );
    for (let left = true; left; ) {
      const last = await verdict({ apiKey, uses: 3 });
      verdicts.push(last);
      left = last.active;
    }
    const granted = verdicts.map(({ rateLimit }) => rateLimit.granted);
    expect(granted.reduce((sum, one) => sum + one, 0)).toBe(50);
    expect(verdicts.at(-1)).toMatchObject({ active: false, code: "RATE_LIMITED", cacheFor: 0 });
    expect(verdicts.at(-1).rateLimit.resetMs).toBeGreaterThan(0);
  });

  test("without uses a response about a limited key must not be reused", async () => {
    const { apiKey } = await limited(50);
    const { rateLimit, cacheFor } = await verdict({ apiKey });
    expect(cacheFor).toBe(0);
    expect(rateLimit).toEqual({ limit: 50, window: "P1D" });
  });

  test("the response about a key restricted only by address may be reused for the checked address", async () => {
    const { apiKey } = await makeApiKey(tenant, userId, { allowedAddresses: ["192.0.2.0/24"] });
    const inside = await verdict({ apiKey, uses: 1, address: "192.0.2.7" });
    expect(inside).toMatchObject({ active: true, cacheFor: 60 });
    expect(inside.rateLimit).toBeUndefined();
    expect(await verdict({ apiKey, uses: 1, address: "198.51.100.1" })).toMatchObject({
      code: "WRONG_ADDRESS",
      cacheFor: 0,
    });
  });

  test("400 for none and for more than 10,000", async () => {
    for (const uses of [0, 10_001, 1.5]) {
      const body = { credentials: [{ apiKey: "svk_x", uses }] };
      const answer = await send("POST /v1/access/verify", { headers: verifier, body });
      expect(answer.status).toBe(400);
    }
  });
});
