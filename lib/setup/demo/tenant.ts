import type { Transaction } from "@/lib/database/open";
import { actingAsSystem } from "@/lib/features/audit/service";
import { addSamplePreviews } from "@/lib/features/previews/create";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser, type NewUser } from "@/lib/features/users/create";
import { addDemoCustomers } from "./customers";
import type { DemoPerson } from "./early-people";
import { earlyPeople } from "./early-people";
import { addDemoKeys } from "./keys";
import { laterPeople } from "./later-people";

/** Everybody of the demo tenant, by the date of arrival. */
export const demoPeople: readonly DemoPerson[] = [...earlyPeople, ...laterPeople];

const dayMilliseconds = 86_400_000;

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

/** Makes the tenant `demo` with its administrator and people; false when it is there already. */
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
