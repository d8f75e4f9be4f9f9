import type { Transaction } from "@/lib/database/open";
import { sites, tenants } from "@/lib/database/schema/schema";
import { emptyHead } from "@/lib/features/audit/chain";
import { type Acting, record } from "@/lib/features/audit/service";

export interface NewTenant {
  name: string;
  kind: (typeof tenants.$inferInsert)["kind"];
  sites: NewSite[];
}

export interface NewSite {
  siteId: string;
  name: string;
}

/** Creates the tenant that `acting` names, with its sites; false when the id is taken. Waits for a concurrent creation of the same id. */
export async function createTenant(
  tx: Transaction,
  acting: Acting,
  tenant: NewTenant,
): Promise<boolean> {
  const { tenantId } = acting;
  const { name, kind } = tenant;
  const made = await tx
    .insert(tenants)
    .values({
      tenantId,
      name,
      kind,
      createdAt: new Date(),
      policy: {},
      auditSeq: 0,
      auditHead: emptyHead,
      accessVersion: 0,
    })
    .onConflictDoNothing({ target: [tenants.tenantId] })
    .returning({ tenantId: tenants.tenantId });
  if (made.length === 0) return false;
  const siteIds = await createSites(tx, tenantId, tenant.sites);
  const changes = { name: { after: name }, kind: { after: kind }, sites: { after: siteIds } };
  await record(tx, acting, {
    action: "tenant.created",
    target: { type: "tenant", id: tenantId, name },
    changes,
  });
  return true;
}

/** Creates the sites that the tenant does not have yet. Returns their ids. */
export async function createSites(
  tx: Transaction,
  tenantId: string,
  wanted: NewSite[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const createdAt = new Date();
  const made = await tx
    .insert(sites)
    .values(wanted.map((site) => ({ tenantId, ...site, createdAt })))
    .onConflictDoNothing({ target: [sites.tenantId, sites.siteId] })
    .returning({ siteId: sites.siteId });
  return made.map(({ siteId }) => siteId).sort();
}
