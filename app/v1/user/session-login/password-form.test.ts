import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "@/lib/access/hashing";
import { db } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const typed = "Grüße-aus-Köln-über-Zürich".normalize("NFD");
const composed = typed.normalize("NFC");
let tenant: string;

beforeAll(async () => {
  tenant = await makeTenant();
  await makeUser(tenant, { login: "ann", password: "none yet", roleIds: ["portal.default"] });
});

const store = (passwordHash: string) =>
  db().update(users).set({ passwordHash }).where(eq(users.tenantId, tenant));

const enter = async (password: string) => {
  const headers = { "X-Service-Tenant": tenant };
  const body = { login: "ann", tenant, password };
  return (await send("POST /v1/user/session-login", { headers, body })).status;
};

test("200 for the password in another Unicode normalisation form", async () => {
  await store(await hashPassword({ plane: "management", tenantId: tenant }, typed));
  expect(await enter(composed)).toBe(200);
  expect(await enter(typed)).toBe(200);
});

test("200 for a password that was hashed as typed: it is hashed again, once for concurrent sign-ins", async () => {
  await store(await hash(typed, { memoryCost: 19_456, timeCost: 2 }));
  expect(await enter(composed)).toBe(401);
  expect(await Promise.all([enter(typed), enter(typed)])).toEqual([200, 200]);
  expect(await enter(composed)).toBe(200);
});
