import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { customerFamilies } from "@/lib/database/schema/schema";
import { claimsOf, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let headers: Record<string, string>;

beforeAll(async () => {
  shop = await openShop(send);
  ({ headers } = await makeSession(
    shop.tenant,
    (await makeUser(shop.tenant, { roleIds: ["tenant.admin"] })).userId,
  ));
});

const policy = (body: unknown) => send("PUT /v1/tenant/security-policy", { headers, body });
const lived = (token: string) => claimsOf(token).exp - claimsOf(token).iat;

describe("200: tokens of customers follow the tenant's lifetimes", () => {
  test("the anonymous token's, from the next token on", async () => {
    expect(lived(await shop.anonymous())).toBe(3600);
    expect((await policy({ anonymousToken: "PT2M" })).body.anonymousToken).toBe("PT2M");
    const { body } = await send("POST /v1/customer/login/anonymous-token", {
      headers: shop.headers,
    });
    expect([body.expiresIn, lived(body.accessToken)]).toEqual([120, 120]);
  });

  test("the access token's and both of the refresh token's; an issued token keeps its own", async () => {
    const { login, id } = await shop.customer();
    const before = await shop.enter(login);
    await policy({ accessToken: "PT1M", refreshIdle: "PT1H", refreshAbsolute: "P2D" });
    expect((await shop.profile(before.accessToken)).status).toBe(200);
    expect([lived(before.accessToken), lived((await shop.enter(login)).accessToken)]).toEqual([
      900, 60,
    ]);
    const mine = and(
      eq(customerFamilies.tenantId, shop.tenant),
      eq(customerFamilies.customerId, id),
    );
    const families = await db()
      .select()
      .from(customerFamilies)
      .where(mine)
      .orderBy(customerFamilies.createdAt);
    const hours = families.map((one) =>
      [one.idleExpiresAt, one.expiresAt].map(
        (at) => (at.getTime() - one.createdAt.getTime()) / 3_600_000,
      ),
    );
    expect(hours).toEqual([
      [30 * 24, 180 * 24],
      [1, 48],
    ]);
    expect(lived((await shop.refresh(before.refreshToken)).body.accessToken)).toBe(60);
  });

  test("the grace period: without one, reusing a rotated token ends the family at once", async () => {
    await policy({ refreshGrace: "PT0S" });
    const { refreshToken } = await shop.enter((await shop.customer()).login);
    const next = await shop.refresh(refreshToken);
    expect((await shop.refresh(refreshToken)).body.code).toBe("auth.refresh-token-reused");
    expect((await shop.refresh(next.body.refreshToken)).status).toBe(401);
  });
});

test.each([
  { anonymousToken: "PT59S" },
  { anonymousToken: "P1DT1S" },
  { accessToken: "PT59S" },
  { accessToken: "PT1H1S" },
  { refreshIdle: "PT59M" },
  { refreshAbsolute: "P367D" },
  { refreshGrace: "PT61S" },
])("400: %j", async (body) => {
  const answer = await policy(body);
  expect([answer.status, answer.body.reason]).toEqual([400, `/${Object.keys(body)[0]}`]);
});
