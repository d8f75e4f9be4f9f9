import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashPassword } from "@/lib/access/hashing";
import { sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { closeStore, db, openStore, type Transaction, transaction } from "@/lib/database/open";
import { customerFamilies, tenantQuotas } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { insertCustomer } from "@/lib/features/customers/registration";
import { refreshTokenOf } from "@/lib/features/customers/token-families";
import { addSamplePreviews } from "@/lib/features/previews/create";
import { quotaNames } from "@/lib/features/quotas/values";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser } from "@/lib/features/users/create";
import { emptyDetails } from "@/lib/protocol/documents/customer-profile";

/** The credentials and names that the cases use. */
export interface World {
  tenant: string;
  login: string;
  password: string;
  sessionId: string;
  apiKey: string;
  site: string;
  shopper: { login: string; password: string; anonymousToken: string; accessToken: string };
  /** The file with bodies of refresh requests, each for a sign-in that was not refreshed yet. */
  refreshBodies: string;
}

const tenant = "bench";
const login = "admin";
const password = "correct horse battery staple";
const site = "eu";
const shopper = { login: "shopper", password: "a shopper's own secret" };
const families = 30_000;
const partSize = 500;
const usersAtOnce = 100;

/** A customer with a profile of typical size. */
async function seedShopper(tx: Transaction, login: string, passwordHash: string): Promise<string> {
  const home = {
    street1: "1 Main Street",
    postalCode: "10115",
    city: "Berlin",
    country: "DE",
    name: { first: "Ann", last: "Example" },
  };
  const email = { address: "ann@bench.example", label: "private" };
  const details = {
    ...emptyDetails,
    addresses: { addresses: [home], defaultBilling: home, defaultShipping: home },
    emailAddresses: { addresses: [email], default: email },
    name: home.name,
  };
  const customerId = await insertCustomer(tx, {
    tenantId: tenant,
    siteIds: [site],
    login,
    passwordHash,
    details,
  });
  if (customerId === undefined) throw new Error("The bench has its shoppers already.");
  return customerId;
}

/** Sign-ins to refresh, of a customer who never signs in, which would end the oldest. In parts, because idle transactions are ended. */
async function seedFamilies({
  dataDir,
  count,
  hash,
}: {
  dataDir: string;
  count: number;
  hash: string;
}): Promise<void> {
  const customerId = await transaction((tx) => seedShopper(tx, "refresher", hash));
  const bodies: string[] = [];
  while (bodies.length < count) {
    const rows = Array.from({ length: partSize }, () => signInRow(customerId));
    await db().insert(customerFamilies).values(rows);
    bodies.push(...rows.map((row) => JSON.stringify({ refreshToken: refreshTokenOf(row, 0) })));
  }
  writeFileSync(join(dataDir, "refresh-bodies.json"), JSON.stringify(bodies));
}

function signInRow(customerId: string) {
  const family = {
    tenantId: tenant,
    siteId: site,
    anonymousId: newId("anon"),
    customerId,
    familyRef: newId("fam"),
    nonce: randomBytes(32),
  };
  const now = new Date();
  const later = new Date(now.getTime() + 86_400_000);
  const times = { createdAt: now, rotatedAt: now, idleExpiresAt: later, expiresAt: later };
  return {
    ...family,
    ...times,
    generation: 0,
    tokenHash: sha256(refreshTokenOf(family, 0)),
    rotations: [],
    address: "127.0.0.1",
    agent: "bench",
  };
}

async function seedUsers(tx: Transaction, first: number, end: number): Promise<void> {
  for (let i = first; i < end; i += 1) {
    const name = `user-${String(i).padStart(5, "0")}`;
    await createUser(tx, actingAsSystem(tenant, "bench"), {
      login: name,
      name: `User Number ${i}`,
      emailAddress: `${name}@bench.example`,
      roles: {
        roleIds: ["portal.default", "portal.catalog.mgmt"],
        sites: i % 3 === 0 ? { eu: { roleIds: ["portal.users.mgmt"] } } : {},
      },
    });
  }
}

/** Creates a tenant of `size` users on the store in `dataDir`, before the product opens it; `refreshes` are the sign-ins to refresh. */
export async function seed(dataDir: string, size: number, refreshes = families): Promise<void> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const acting = actingAsSystem(tenant, "bench");
  const hash = await hashPassword({ plane: "management", tenantId: tenant }, password);
  // Hashed before the transaction, which would be ended if it were idle on a busy machine.
  const shopperHash = await hashPassword({ plane: "consumer", tenantId: tenant }, shopper.password);
  await transaction(async (tx) => {
    await createTenant(tx, acting, {
      name: "Bench",
      kind: "production",
      sites: [{ siteId: "eu", name: "EU" }],
    });
    const roles = { roleIds: ["tenant.admin"], sites: {} };
    const userId = await createUser(tx, acting, {
      login,
      name: "Administrator",
      emailAddress: "admin@bench.example",
      roles,
      password: { hash },
    });
    // The cases create more objects than a tenant may have by default.
    await tx
      .insert(tenantQuotas)
      .values(quotaNames.map((quota) => ({ tenantId: tenant, quota, max: 1_000_000_000 })));
    await seedShopper(tx, shopper.login, shopperHash);
    await addSamplePreviews(tx, acting, { userId, login }, { siteId: site });
  });
  await seedFamilies({ dataDir, count: refreshes, hash: shopperHash });
  for (let first = 1; first < size; first += usersAtOnce)
    await transaction((tx) => seedUsers(tx, first, Math.min(first + usersAtOnce, size)));
  // As the store's autovacuum would within a minute: otherwise the first plans are made for empty tables.
  await db().$client.query("vacuum analyze");
  await closeStore();
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Record<string, string>> {
  const sent = { "Content-Type": "application/json", "X-Service-Tenant": tenant, ...headers };
  const response = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function enterShop(url: string) {
  const headers = { "X-Service-Site": site };
  const { accessToken: anonymousToken = "" } = await post(
    `${url}/v1/customer/login/anonymous-token`,
    headers,
    {},
  );
  const { accessToken = "" } = await post(
    `${url}/v1/customer/login/token`,
    { ...headers, Authorization: `Bearer ${anonymousToken}` },
    shopper,
  );
  return { anonymousToken, accessToken };
}

/** Signs in and creates an API key, as an external program would. */
export async function enter(url: string, dataDir: string): Promise<World> {
  const { sessionId = "" } = await post(
    `${url}/v1/user/session-login`,
    {},
    { login, tenant, password },
  );
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name: `bench ${Date.now()}`, validTo };
  const { apiKey = "" } = await post(
    `${url}/v1/user/profile/api-keys`,
    { "X-Service-Session-Id": sessionId },
    body,
  );
  const refreshBodies = join(dataDir, "refresh-bodies.json");
  return {
    tenant,
    login,
    password,
    sessionId,
    apiKey,
    site,
    shopper: { ...shopper, ...(await enterShop(url)) },
    refreshBodies,
  };
}
