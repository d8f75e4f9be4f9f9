import { hash } from "@node-rs/argon2";
import { hashSync } from "@node-rs/bcrypt";
import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { isOwnHash } from "@/lib/access/password-hashes";
import { db, transaction } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});

/** A customer whose password was hashed by another program. */
async function imported(passwordHash = hashSync(password, 4)) {
  const { login, id } = await shop.customer();
  const self = and(eq(customers.tenantId, shop.tenant), eq(customers.customerId, id));
  await db().update(customers).set({ passwordHash }).where(self);
  const stored = async () =>
    (await db().select({ hash: customers.passwordHash }).from(customers).where(self))[0]?.hash ??
    "";
  return { login, passwordHash, stored };
}

test("200: the first sign-in replaces an imported hash with ours, and the password still works", async () => {
  const { login, passwordHash, stored } = await imported();
  expect((await shop.login(login, { password: "not the secret" })).status).toBe(401);
  expect(await stored()).toBe(passwordHash);
  expect((await shop.login(login)).status).toBe(200);
  const renewed = await stored();
  expect(isOwnHash(renewed)).toBe(true);
  expect((await shop.login(login)).status).toBe(200);
  expect(await stored()).toBe(renewed);
  expect((await shop.login(login, { password: "not the secret" })).status).toBe(401);
});

test("200 for each of several concurrent first sign-ins", async () => {
  const { login, stored } = await imported();
  const all = await Promise.all([shop.login(login), shop.login(login), shop.login(login)]);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(isOwnHash(await stored())).toBe(true);
  expect((await shop.login(login)).status).toBe(200);
});

test.each([
  ["200 where the same password is hashed anew while somebody signs in", password, 200],
  ["401 where it is replaced by another one", "another secret of the shop", 401],
])("%s", async (_, next, status) => {
  const { login, id } = await shop.customer();
  const self = and(eq(customers.tenantId, shop.tenant), eq(customers.customerId, id));
  const passwordHash = await hash(next, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const answer = await transaction(async (tx) => {
    await tx.update(customers).set({ passwordHash }).where(self);
    const signingIn = shop.login(login);
    await awaitLockWaits(tx);
    return { signingIn };
  });
  expect((await answer.signingIn).status).toBe(status);
});

test("401 for a customer without a password", async () => {
  const { login } = await imported("");
  expect((await shop.login(login)).status).toBe(401);
});

test("200 for a password hashed as typed, in a form other than NFC: it is hashed again", async () => {
  const typed = "Grüße-aus-Köln".normalize("NFD");
  const own = await hash(typed, { memoryCost: 19_456, timeCost: 2 });
  for (const former of [hashSync(typed, 4), own]) {
    const { login, stored } = await imported(former);
    const composed = { password: typed.normalize("NFC") };
    expect((await shop.login(login, composed)).status).toBe(401);
    expect((await shop.login(login, { password: typed })).status).toBe(200);
    expect(await stored()).not.toBe(former);
    expect((await shop.login(login, composed)).status).toBe(200);
  }
});
