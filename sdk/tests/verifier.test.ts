import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { openShop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { permissions } from "@/lib/protocol/permissions";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { createClient, type Gatehouse, isGatehouseError } from "@/sdk/src/index.js";
import { Network, verifiersAt, warm } from "./testing/verifiers";

const send = testServer();
let tenant: string;
let owner: { userId: string };
let admin: Gatehouse;
let verifyKey: string;
const verifiers = verifiersAt(() => ({ url: send.url(), tenant, verifyKey }));

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  owner = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const service = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  verifyKey = (await makeApiKey(tenant, service.userId)).apiKey;
  const { sessionId } = await makeSession(tenant, owner.userId);
  admin = createClient({ url: send.url(), tenant, sessionId });
});
afterEach(async () => {
  await verifiers.close();
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

describe("a verifier", () => {
  test("answers from memory, and stores the hash of a credential instead of the credential", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const { apiKey, apiKeyId } = await makeApiKey(tenant, owner.userId);
    await warm(verifier, network, apiKey);
    const before = network.count("/verify");
    // All in one turn of the event loop: on a slow machine the feed would become stale during a thousand turns.
    const verdicts = await Promise.all(
      Array.from({ length: 1000 }, () => verifier.verify({ wholeTenant: true, apiKey })),
    );
    expect(network.count("/verify")).toBe(before);
    for (const verdict of verdicts)
      expect(verdict).toMatchObject({ active: true, credentialId: apiKeyId });
    const memory = inspect(verifier, { depth: 20, showHidden: true, maxStringLength: null });
    expect(memory).toContain(createHash("sha256").update(`k${apiKey}`).digest("base64"));
    expect(memory).not.toContain(apiKey);
  });

  test("agrees with the service for every permission and site", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const mixed = await makeUser(tenant, {
      roleIds: ["portal.order.mgmt"],
      sites: { one: ["portal.pim.mgmt"] },
    });
    const { apiKey } = await makeApiKey(tenant, mixed.userId, { siteIds: ["one"] });
    await warm(verifier, network, apiKey);
    const asked = createClient({ url: send.url(), tenant, apiKey: verifyKey });
    for (const site of [undefined, "one", "two", "unknown"]) {
      const place = site === undefined ? ({ wholeTenant: true } as const) : { site };
      const asSent = site === undefined ? {} : { site };
      await verifier.verify({ apiKey, ...place });
      const expected = await Promise.all(
        permissions.map((permission) => asked.verify({ apiKey, permission, ...asSent })),
      );
      // The feed may be stale after so many calls.
      if (site === undefined || site === "one") await warm(verifier, network, apiKey, asSent);
      const before = network.count("/verify");
      const verdicts = await Promise.all(
        permissions.map((permission) => verifier.verify({ apiKey, permission, ...place })),
      );
      for (const [index, permission] of permissions.entries()) {
        const { active, code } = verdicts[index] ?? {};
        const { active: isActive, code: itsCode } = expected[index] ?? {};
        expect([site, permission, active, code]).toEqual([site, permission, isActive, itsCode]);
      }
      if (site === undefined || site === "one") expect(network.count("/verify")).toBe(before);
    }
  });

  test("verifies sessions, management bearers and customers' access tokens", async () => {
    const shop = await openShop(send, { tenant });
    const { sessionId, sessionRef } = await makeSession(tenant, owner.userId);
    const bearer = { tenantId: tenant, userId: owner.userId, credentialId: sessionRef };
    const { accessToken: token } = await issueManagementBearer(bearer);
    const pair = await shop.enter((await shop.customer()).login);
    const verifier = verifiers.open();
    const kinds = [{ sessionId }, { token }, { token: pair.accessToken }].map(
      async (credential) => (await verifier.verify({ wholeTenant: true, ...credential })).kind,
    );
    expect(await Promise.all(kinds)).toEqual(["session", "bearer", "customer"]);
    expect((await verifier.verify({ wholeTenant: true, apiKey: "svk_unknown" })).code).toBe(
      "UNKNOWN",
    );
  });

  test("caches at most maxEntries answers", async () => {
    const network = new Network();
    const verifier = verifiers.open(network, { maxEntries: 2 });
    const keys = await Promise.all([1, 2, 3].map(() => makeApiKey(tenant, owner.userId)));
    await warm(verifier, network, keys[0]?.apiKey ?? "");
    for (const { apiKey } of keys) await verifier.verify({ wholeTenant: true, apiKey });
    await warm(verifier, network, keys[2]?.apiKey ?? "");
    const before = network.count("/verify");
    await verifier.verify({ wholeTenant: true, apiKey: keys[2]?.apiKey ?? "" });
    expect(network.count("/verify")).toBe(before);
    await verifier.verify({ wholeTenant: true, apiKey: keys[0]?.apiKey ?? "" });
    expect(network.count("/verify")).toBe(before + 1);
  });
});

describe("a verifier fails closed", () => {
  test("without the feed it calls the service each time, from a second after the last poll on", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const { apiKey, apiKeyId } = await makeApiKey(tenant, owner.userId);
    await warm(verifier, network, apiKey);
    network.cut = /revocations$/;
    const cutAt = performance.now();
    await admin.keys.revoke({ apiKeyId });
    const ask = async () => {
      const askedAt = performance.now();
      return { askedAt, code: (await verifier.verify({ wholeTenant: true, apiKey })).code };
    };
    let last = await ask();
    while (last.code === "VALID") {
      expect(last.askedAt - cutAt).toBeLessThan(1000);
      await pause(20);
      last = await ask();
    }
    expect(last.code).toBe("REVOKED");
  });

  test("when the service is unreachable too, it rejects", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const { apiKey } = await makeApiKey(tenant, owner.userId);
    await warm(verifier, network, apiKey);
    network.cut = /./;
    await expect
      .poll(
        () =>
          verifier.verify({ wholeTenant: true, apiKey }).then(
            ({ code }) => code,
            (error: unknown) => isGatehouseError(error) && error.code,
          ),
        { interval: 50 },
      )
      .toBe("network.unreachable");
    network.cut = undefined;
    expect((await verifier.verify({ wholeTenant: true, apiKey })).active).toBe(true);
  });

  test("after it was closed it caches nothing", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const { apiKey } = await makeApiKey(tenant, owner.userId);
    await warm(verifier, network, apiKey);
    await verifier.close();
    const before = network.count("/verify");
    await verifier.verify({ wholeTenant: true, apiKey });
    await verifier.verify({ wholeTenant: true, apiKey });
    expect(network.count("/verify")).toBe(before + 2);
  });
});

describe("limits of a key", () => {
  test("apply to several verifiers together: no use beyond the limit is admitted", async () => {
    const networks = [new Network(), new Network(), new Network()];
    const several = networks.map((network) => verifiers.open(network));
    const plain = await makeApiKey(tenant, owner.userId);
    for (const [index, verifier] of several.entries())
      await warm(verifier, networks[index] ?? new Network(), plain.apiKey);
    const limit = { rateLimit: 300, rateWindowSeconds: 86_400 };
    const { apiKey } = await makeApiKey(tenant, owner.userId, limit);
    const before = networks.map((network) => network.count("/verify"));
    let admitted = 0;
    let rejected = 0;
    await Promise.all(
      several.map(async (verifier) => {
        for (let count = 0; count < 400; count += 1) {
          const { code } = await verifier.verify({ wholeTenant: true, apiKey });
          if (code === "VALID") admitted += 1;
          if (code === "RATE_LIMITED") rejected += 1;
        }
      }),
    );
    expect(admitted).toBeLessThanOrEqual(300);
    expect(admitted).toBeGreaterThanOrEqual(300 * 0.9);
    expect(admitted + rejected).toBe(1200);
    const asked = networks.reduce(
      (sum, network, index) => sum + network.count("/verify") - (before[index] ?? 0),
      0,
    );
    expect(asked).toBeLessThan(120);
  });

  test("an address is verified once and answered from memory afterwards", async () => {
    const network = new Network();
    const verifier = verifiers.open(network);
    const allowedAddresses = ["192.0.2.0/24"];
    const { apiKey } = await makeApiKey(tenant, owner.userId, { allowedAddresses });
    await warm(verifier, network, apiKey, { address: "192.0.2.1" });
    expect(
      (await verifier.verify({ wholeTenant: true, apiKey, address: "198.51.100.1" })).code,
    ).toBe("WRONG_ADDRESS");
    expect((await verifier.verify({ wholeTenant: true, apiKey })).code).toBe("WRONG_ADDRESS");
    expect(
      (await verifier.verify({ wholeTenant: true, apiKey, address: "192.0.2.2" })).active,
    ).toBe(true);
    // The feed may be stale by now; a known address is not verified again.
    await warm(verifier, network, apiKey, { address: "192.0.2.2" });
    const before = network.count("/verify");
    for (const address of ["192.0.2.1", "192.0.2.2"])
      expect((await verifier.verify({ wholeTenant: true, apiKey, address })).active).toBe(true);
    expect(network.count("/verify")).toBe(before);
  });
});

test("uses are reported in batches, once each even if a response was lost", async () => {
  const network = new Network();
  const verifier = verifiers.open(network, { service: "orders" });
  const { apiKey, apiKeyId } = await makeApiKey(tenant, owner.userId);
  const operation = "GET /orders/{id}";
  for (let count = 0; count < 25; count += 1)
    await verifier.verify({ wholeTenant: true, apiKey, operation, address: "192.0.2.77" });
  network.lose = /usage$/;
  await verifier.close();
  expect(network.count("/usage")).toBe(2);
  const hour = 3_600_000;
  const { series } = await admin.metrics.countCalls({
    from: new Date(Date.now() - hour).toISOString(),
    to: new Date(Date.now() + hour).toISOString(),
    apiKey: [apiKeyId],
    group: ["domain"],
  });
  const counts = series.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  expect(series[0]?.groups.domain).toBe("orders");
  expect(counts).toEqual([25]);
  const key = await admin.managedKeys.get({ apiKeyId });
  expect(key).toMatchObject({ lastUsedIp: "192.0.2.77", lastUsedOperation: operation });
});
