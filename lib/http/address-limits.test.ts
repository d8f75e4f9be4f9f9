import { describe, expect, test } from "vitest";
import { operations } from "@/lib/catalogue/operations";
import { testServer } from "@/lib/http/testing/test-server";
import type { Endpoint } from "@/lib/protocol/endpoint";

const send = testServer();

/** Operations for callers without an account: the credential is in the body, or anybody can get one. */
const open = operations.filter(({ credentials }: Endpoint) =>
  credentials.every((one) => one === "anonymous"),
);
const name = ({ operation }: Endpoint) => operation;

describe("every operation for callers without an account", () => {
  test("is found by this test", () => {
    const expected = [
      "POST /v1/signup",
      "POST /v1/customer/login/refresh-token",
      "POST /v1/user/password-resets/confirm",
    ];
    expect(open.map(name)).toEqual(expect.arrayContaining(expected));
  });

  test("declares a limit per address", () => {
    expect(open.filter((one) => one.limits.address === undefined).map(name)).toEqual([]);
  });
});

/** One operation for each limit: the count is shared by those that declare the same. */
const oneOfEach = [...new Map(open.map((one) => [one.limits.address, one])).values()];

describe("429: the address has used up its limit", () => {
  test.each(oneOfEach.map((one) => [name(one), one] as const))(
    "%s",
    async (operation, { limits }) => {
      const headers = { "X-Service-Tenant": "nobody", "X-Service-Site": "one" };
      let answer = await send(operation, { headers, body: {} });
      const policy = answer.headers.get("ratelimit-policy");
      if (answer.status !== 429) expect(policy, operation).toContain(`"${limits.address}"`);
      for (let n = 0; n < 1000 && answer.status !== 429; n += 1)
        answer = await send(operation, { headers, body: {} });
      expect(answer.body).toMatchObject({ code: "rate-limit.exceeded", reason: limits.address });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    },
  );
});
