import { expect, test, vi } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { perProcess } from "@/lib/protocol/per-process";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { addressGroup, countAddressRequest, countRequest } from "./rate-limits";

const send = testServer();
const use = async (count: number, request: () => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await request();
};

test("every IPv4 address is its own group", () => {
  expect(addressGroup("203.0.113.7")).toBe("203.0.113.7");
  expect(addressGroup("203.0.113.8")).not.toBe(addressGroup("203.0.113.7"));
});

test("the IPv6 addresses of one /64 are one group, however they are written", () => {
  const group = addressGroup("2001:db8:7:1::1");
  for (const address of ["2001:db8:7:1::2", "2001:db8:7:1:ffff:ffff:ffff:ffff", "2001:0db8:7:1::"])
    expect(addressGroup(address), address).toBe(group);
});

test("IPv6 addresses of two /64 are two groups", () => {
  expect(addressGroup("2001:db8:7:2::1")).not.toBe(addressGroup("2001:db8:7:1::1"));
});

test("all /64 of one /48 together have four times the limit of one /64", async () => {
  vi.stubEnv("RATE_LIMITS", "on");
  const from = (subnet: number) =>
    countAddressRequest("registration", `2001:db8:48:${subnet.toString(16)}::1`);
  await use(10, () => from(1));
  await expect(from(1)).rejects.toMatchObject({ code: "rate-limit.exceeded" });
  for (const subnet of [2, 3, 4]) await use(10, () => from(subnet));
  await expect(from(5)).rejects.toMatchObject({ code: "rate-limit.exceeded" });
  await expect(countAddressRequest("registration", "2001:db8:49::1")).resolves.toBeDefined();
  vi.unstubAllEnvs();
});

test("429 when one user's keys use half of the tenant's rate, or all keys nine tenths; 200 for others and for people", async () => {
  vi.stubEnv("RATE_LIMITS", "on");
  const tenant = await makeTenant();
  const roleIds = ["portal.default"];
  const [greedy, other] = [
    await makeUser(tenant, { roleIds }),
    await makeUser(tenant, { roleIds }),
  ];
  const get = async (headers: Record<string, string>) => {
    const { status, body } = await send("GET /v1/user/profile", { headers });
    return [status, body.reason];
  };
  const fresh = async ({ userId }: { userId: string }) =>
    (await makeApiKey(tenant, userId)).headers;
  await use(3000, () => countRequest("user", `${tenant} ${greedy.userId}`));
  expect(await get(await fresh(greedy))).toEqual([429, "user"]);
  expect(await get(await fresh(other))).toEqual([200, undefined]);
  await use(5399, () => countRequest("tenant-keys", tenant));
  expect(await get(await fresh(other))).toEqual([429, "tenant-keys"]);
  const { headers } = await makeSession(tenant, other.userId);
  expect(await get(headers)).toEqual([200, undefined]);
  vi.unstubAllEnvs();
});

test("429 from a limiter of another bundle of the process, which rejects with another class", async () => {
  vi.stubEnv("RATE_LIMITS", "on");
  const limiters = perProcess("rate-limits", (): Record<string, unknown> => ({}))();
  const former = limiters["hand-off"];
  const ofBundle = { msBeforeNext: 1500, remainingPoints: 0 };
  limiters["hand-off"] = { consume: () => Promise.reject(ofBundle) };
  await expect(countRequest("hand-off", "192.0.2.1")).rejects.toMatchObject({
    ...{ code: "rate-limit.exceeded", reason: "hand-off", headers: { "Retry-After": "2" } },
  });
  limiters["hand-off"] = former;
  vi.unstubAllEnvs();
});
