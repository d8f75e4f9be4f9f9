import { allTenants } from "@/lib/database/global";
import { transaction } from "@/lib/database/open";
import { actingAsSystem } from "@/lib/features/audit/service";
import { addSamplePreviews } from "@/lib/features/previews/create";
import { createSites, createTenant } from "@/lib/features/tenants/create";
import { type FixtureCustomer, fixtureCustomers } from "@/lib/setup/fixtures/customers";
import {
  type FixtureTenant,
  type FixtureUser,
  fixtureSites,
  fixtureTenants,
  fixtureUsers,
} from "@/lib/setup/fixtures/users";

/** The names of the previews in fixtures.json. */
const namedPreviews = {
  pvA: { key: "home", site: "A1" },
  pvB: { key: "home", site: "B1" },
} as const;

const authors = { A: "adm", B: "bAdm" } as const;

/** Gives the sites in the fixtures two configurations each, in their initial state; the other site has none. */
async function fixturePreviews(
  baseUrl: string,
  users: Record<string, Pick<FixtureUser, "id" | "login">>,
): Promise<typeof namedPreviews> {
  for (const { site } of Object.values(namedPreviews)) {
    const { siteId, tenant } = fixtureSites[site];
    const author = users[authors[tenant]];
    if (!author) throw new Error(`The fixtures have no user ${authors[tenant]}.`);
    const acting = actingAsSystem(fixtureTenants[tenant], "fixtures");
    await transaction((tx) =>
      addSamplePreviews(
        tx,
        acting,
        { userId: author.id, login: author.login },
        { siteId, baseUrl },
      ),
    );
  }
  return namedPreviews;
}

/** The same known data for every test and every external client. */
export interface Fixtures {
  baseUrl: string;
  tenants: typeof fixtureTenants;
  sites: Record<string, string>;
  users: Record<string, FixtureUser>;
  customers: Record<string, FixtureCustomer>;
  previews: typeof namedPreviews;
}

async function assertNoRealTenants(): Promise<void> {
  const isOurs = (id: string, kind: string) =>
    ["demo", "platform"].includes(id) || kind === "sandbox" || id.startsWith("fix-");
  const real = (await allTenants())
    .filter(({ tenantId, kind }) => !isOurs(tenantId, kind))
    .map(({ tenantId }) => tenantId);
  if (real.length > 0)
    throw new Error(
      `The fixtures are not for a store with tenants of its own: ${real.slice(0, 5).join(", ")}.`,
    );
}

async function makeTenant(key: FixtureTenant): Promise<void> {
  const tenantId = fixtureTenants[key];
  const sites = Object.values(fixtureSites)
    .filter((site) => site.tenant === key)
    .map(({ siteId }) => ({ siteId, name: siteId }));
  const tenant = { name: `Fixture ${key}`, kind: "production" as const, sites };
  await transaction(async (tx) => {
    const isNew = await createTenant(tx, actingAsSystem(tenantId, "fixtures"), tenant);
    if (!isNew) await createSites(tx, tenantId, sites);
  });
}

/**
 * Creates the data of the fixtures, or restores it, and returns it with new passwords.
 * Throws on a store with tenants other than demo, platform, sandboxes and fix-*.
 */
export async function makeFixtures(baseUrl: string): Promise<Fixtures> {
  await assertNoRealTenants();
  await makeTenant("A");
  await makeTenant("B");
  const sites = Object.fromEntries(
    Object.entries(fixtureSites).map(([key, { siteId }]) => [key, siteId]),
  );
  const users = await fixtureUsers();
  const customers = await fixtureCustomers();
  return {
    baseUrl,
    tenants: fixtureTenants,
    sites,
    users,
    customers,
    previews: await fixturePreviews(baseUrl, users),
  };
}
