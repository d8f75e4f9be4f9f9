import { beforeAll, describe, expect, test } from "vitest";
import { readConsumerToken, signAccessToken } from "@/lib/access/consumer-tokens";
import { openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { createClient, type Gatehouse, isGatehouseError, type TokenPair } from "@/sdk/src/index.js";

const send = testServer();
let tenant: string;
let gatehouse: Gatehouse;
let apiKey: string;
let requests: string[];

/** Records each request, and sends it. */
const noting: typeof fetch = (input, init) => {
  requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
  return fetch(input, init);
};

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { sessionId } = await makeSession(tenant, userId);
  ({ apiKey } = await makeApiKey(tenant, userId));
  requests = [];
  gatehouse = createClient({ url: send.url(), tenant, sessionId, fetch: noting });
  return () => delete process.env.RATE_LIMITS;
});

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return isGatehouseError(thrown) ? thrown.code : undefined;
}

describe("lists", () => {
  test("are read page by page while they are iterated", async () => {
    const logins = ["list-a", "list-b", "list-c", "list-d", "list-e"];
    for (const login of logins) await makeUser(tenant, { login });
    requests = [];
    const seen: string[] = [];
    for await (const { login } of gatehouse.users.list({ q: "list-", limit: 2 })) seen.push(login);
    expect(seen).toEqual(logins);
    expect(requests).toHaveLength(3);
  });

  test("stop reading when the loop ends, and at the given maximum", async () => {
    requests = [];
    for await (const _user of gatehouse.users.list({ q: "list-", limit: 2 })) break;
    expect(await gatehouse.users.list({ q: "list-", limit: 2 }).toArray(2)).toHaveLength(2);
    expect(requests).toHaveLength(2 + 1);
  });

  test("give single pages with the cursor of the next one", async () => {
    const first = await gatehouse.users.list({ q: "list-", limit: 3 }).page();
    expect(first.items).toHaveLength(3);
    const cursor = first.next ?? "";
    const second = await gatehouse.users.list({ q: "list-", limit: 3, cursor }).page();
    expect(second.items.map(({ login }) => login)).toEqual(["list-d", "list-e"]);
    expect(second.next).toBeUndefined();
  });
});

describe("calls", () => {
  test("carry path, query and body; a key that was created works as the credential of another client", async () => {
    const validTo = new Date(Date.now() + 86_400_000).toISOString();
    const created = await gatehouse.keys.create({ body: { name: "client", validTo } });
    const byKey = gatehouse.with({ sessionId: undefined, apiKey: created.apiKey });
    const key = await byKey.keys.get({ apiKeyId: created.apiKeyId });
    expect(key.name).toBe("client");
    await gatehouse.keys.revoke({ apiKeyId: created.apiKeyId });
    expect(await codeOf(byKey.keys.get({ apiKeyId: created.apiKeyId }))).toBe(
      "auth.credentials-invalid",
    );
  });

  test("404 is an error with its code, which narrows the status", async () => {
    try {
      await gatehouse.users.get({ id: "user_00000000000000000000000000" });
      expect.unreachable();
    } catch (error) {
      if (!isGatehouseError(error) || error.code !== "user.not-found") throw error;
      const status: 404 = error.status;
      expect(status).toBe(404);
    }
  });

  test("take an ETag: 412 for another state, 304 for the same one", async () => {
    const { data, etag = "" } = await gatehouse.exchange("GET /v1/tenant");
    const body = { name: `${data.name} 2` };
    expect(await codeOf(gatehouse.tenant.update({ body }, { ifMatch: '"other"' }))).toBe(
      "precondition.failed",
    );
    const same = await gatehouse.exchange("GET /v1/tenant", {}, { ifNoneMatch: etag });
    expect(same.status).toBe(304);
    await gatehouse.tenant.update({ body }, { ifMatch: etag });
    expect((await gatehouse.tenant.get()).name).toBe(body.name);
  });

  test("send a form if the operation expects one", async () => {
    const verifier = gatehouse.with({ sessionId: undefined, apiKey });
    const token = apiKey;
    expect((await verifier.access.introspect({ body: { token } })).active).toBe(true);
  });

  test("give a response as text in another media type", async () => {
    const table = await gatehouse.text("GET /v1/audit/export", {}, { accept: "text/csv" });
    expect(table.split("\n")[0]).toContain("action");
  });
});

test("credentials verified in the same turn share a request", async () => {
  const verifier = gatehouse.with({ sessionId: undefined, apiKey });
  requests = [];
  const verdicts = await Promise.all([
    verifier.verify({ apiKey }),
    verifier.verify({ apiKey: "svk_unknown" }),
    ...Array.from({ length: 120 }, () => verifier.verify({ apiKey, permission: "user.read" })),
  ]);
  expect(verdicts.slice(0, 2).map(({ code }) => code)).toEqual(["VALID", "UNKNOWN"]);
  expect(verdicts.every(({ code }, index) => index === 1 || code === "VALID")).toBe(true);
  expect(requests).toEqual(["POST /v1/access/verify", "POST /v1/access/verify"]);
});

test("events are followed after a given one, as they happen, until the signal is aborted", async () => {
  const { userId } = await makeUser(tenant);
  const lock = (reason: string) => gatehouse.users.lock({ id: userId, body: { reason } });
  await lock("first");
  const [latest] = (await gatehouse.events.list({ limit: 200 })).slice(-1);
  const controller = new AbortController();
  const { signal } = controller;
  const seen: string[] = [];
  const following = (async () => {
    for await (const { type } of gatehouse.followEvents({
      after: latest?.id,
      intervalMs: 20,
      signal,
    }))
      seen.push(type);
  })();
  await gatehouse.users.unlock({ id: userId });
  await expect.poll(() => seen.length).toBe(1);
  await lock("second");
  await expect.poll(() => seen.length).toBe(2);
  controller.abort();
  await following;
  expect(seen).toEqual(["gatehouse.user.unlocked", "gatehouse.user.locked"]);
  const locks: string[] = [];
  for await (const { type } of gatehouse.followEvents({
    after: latest?.id,
    type: "gatehouse.user.locked",
  })) {
    locks.push(type);
    break;
  }
  expect(locks).toEqual(["gatehouse.user.locked"]);
});

describe("a customer", () => {
  let shop: Shop;
  let visitor: Gatehouse;

  beforeAll(async () => {
    shop = await openShop(send);
    const place = { tenant: shop.tenant, site: shop.site, sessionId: undefined };
    visitor = gatehouse.with(place);
  });

  /** The pair with an access token that has expired. */
  async function expired({ accessToken, refreshToken }: TokenPair): Promise<TokenPair> {
    const claims = await readConsumerToken(accessToken);
    if (!claims) throw new Error("not a token");
    return { accessToken: await signAccessToken(claims, -60), refreshToken };
  }

  test("signs in and reads the own profile", async () => {
    const { login, id } = await shop.customer();
    const customer = await visitor.signInCustomer(login, password);
    expect((await customer.shopper.getProfile()).id).toBe(id);
  });

  test("parallel calls with an expired access token share one refresh and all succeed", async () => {
    const { login, id } = await shop.customer();
    const refreshed: TokenPair[] = [];
    const pair = await expired(await shop.enter(login));
    const customer = visitor.with({
      customer: { ...pair, onRefresh: (fresh) => void refreshed.push(fresh) },
    });
    requests = [];
    const profiles = await Promise.all([1, 2, 3, 4, 5].map(() => customer.shopper.getProfile()));
    expect(profiles.map((profile) => profile.id)).toEqual(Array(5).fill(id));
    expect(requests.filter((one) => one.endsWith("/refresh-token"))).toHaveLength(1);
    expect(refreshed).toHaveLength(1);
    expect(refreshed[0]?.refreshToken).not.toBe(pair.refreshToken);
    await customer.shopper.getProfile();
    expect(requests.filter((one) => one.endsWith("/refresh-token"))).toHaveLength(1);
  });

  test("whose refresh token is rejected gets that error from every call", async () => {
    const { login } = await shop.customer();
    const { accessToken } = await expired(await shop.enter(login));
    const customer = visitor.with({ customer: { accessToken, refreshToken: "svr_x.1.x" } });
    const calls = [1, 2].map(() => codeOf(customer.shopper.getProfile()));
    expect(await Promise.all(calls)).toEqual(Array(2).fill("auth.credentials-invalid"));
  });
});
