import { and, eq, inArray } from "drizzle-orm";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { apiKeys, users } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { addSamplePreviews } from "@/lib/features/previews/create";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser, type NewUser } from "@/lib/features/users/create";
import { labelKey } from "@/lib/protocol/formats";
import { addDemoCustomers } from "./customers";
import { type DemoPerson, earlyPeople } from "./early-people";
import { laterPeople } from "./later-people";

const dayMilliseconds = 86_400_000;

const keys = [
  { login: "matteo.ricci", name: "storefront eu", days: 180, usedMinutesAgo: 2 },
  { login: "yuki.tanaka", name: "nightly export", days: 90, usedMinutesAgo: 340 },
  { login: "priya.raghunathan", name: "catalog import", days: 30, usedMinutesAgo: 25 },
] as const;

/** Gives some of the demo's users API keys to which calls are counted. Their values are discarded here. */
export async function addDemoKeys(tx: Transaction, now: number): Promise<void> {
  const logins = keys.map(({ login }) => login);
  const owners = await tx
    .select({ userId: users.userId, login: users.loginKey })
    .from(users)
    .where(and(eq(users.tenantId, "demo"), inArray(users.loginKey, logins)));
  const rows = keys.flatMap(({ login, name, days, usedMinutesAgo }) => {
    const owner = owners.find((one) => one.login === login);
    if (!owner) return [];
    const secret = newApiKey();
    const common = {
      tenantId: "demo",
      apiKeyId: newId("key"),
      userId: owner.userId,
      name,
      nameKey: labelKey(name),
    };
    const times = {
      createdAt: new Date(now - 40 * dayMilliseconds),
      validTo: new Date(now + days * dayMilliseconds),
      lastUsedAt: new Date(now - usedMinutesAgo * 60_000),
    };
    return [{ ...common, ...times, secretHash: sha256(secret), hint: secret.slice(-4) }];
  });
  if (rows.length > 0) await tx.insert(apiKeys).values(rows);
}

/** All users of the demo tenant, by date of creation. */
export const demoPeople: readonly DemoPerson[] = [...earlyPeople, ...laterPeople];

const sites = {
  eu: { siteId: "eu-store", name: "EU Store" },
  us: { siteId: "us-store", name: "US Store" },
};

function newUser(
  { login, name, mail, since, seen, tenant, eu, us, state, locked, kind }: DemoPerson,
  now: number,
): NewUser {
  const atSites = [
    [sites.eu.siteId, eu],
    [sites.us.siteId, us],
  ] as const;
  return {
    login,
    name,
    emailAddress: `${mail}@nordwind.example`,
    roles: {
      roleIds: tenant ?? [],
      sites: Object.fromEntries(
        atSites.flatMap(([siteId, roleIds]) => (roleIds ? [[siteId, { roleIds }]] : [])),
      ),
    },
    registeredAt: new Date(now - since * dayMilliseconds),
    ...(seen === undefined ? {} : { lastLoginAt: new Date(now - seen * dayMilliseconds) }),
    ...(state && { state }),
    ...(locked && { lock: { reason: locked } }),
    ...(kind && { kind }),
  };
}

/** Creates the tenant `demo` with its administrator and users; false if it already exists. */
export async function createDemo(
  tx: Transaction,
  administrator: Pick<NewUser, "login" | "password">,
): Promise<boolean> {
  const acting = actingAsSystem("demo", "first-run");
  const isNew = await createTenant(tx, acting, {
    name: "Nordwind",
    kind: "demo",
    sites: Object.values(sites),
  });
  if (!isNew) return false;
  const roles = { roleIds: ["tenant.admin"], sites: {} };
  const userId = await createUser(tx, acting, {
    ...administrator,
    name: "Administrator",
    emailAddress: "administrator@nordwind.example",
    roles,
  });
  const now = Date.now();
  for (const person of demoPeople) await createUser(tx, acting, newUser(person, now));
  await addDemoCustomers(tx, acting.tenantId);
  await addDemoKeys(tx, now);
  const author = { userId, login: administrator.login };
  for (const { siteId } of Object.values(sites))
    await addSamplePreviews(tx, acting, author, { siteId });
  return true;
}
