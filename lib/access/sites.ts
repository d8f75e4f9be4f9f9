import { eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { type Executor, readAccess } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import { perProcess } from "@/lib/protocol/per-process";
import { isCurrent, learnVersion } from "./access-versions";

/** The tenant's sites: for each id, the origins of pages that may call its consumer interface. */
type Sites = ReadonlyMap<string, readonly string[]>;

interface Stored {
  sites: Sites;
  /** The names of the sites, by id. */
  names: Readonly<Record<string, string>>;
  kind: string;
  policy: SecurityPolicy;
  version: number;
}

interface Row {
  siteId: string | null;
  name: string | null;
  allowedOrigins: string[] | null;
  kind: string;
  policy: SecurityPolicy;
  version: number;
}

const ofTenant = `select s.site_id as "siteId", s.name, s.allowed_origins as "allowedOrigins", t.kind, t.policy, t.access_version::float8 as version
  from tenants t left join sites s on s.tenant_id = $1 where t.tenant_id = $1`;

const cache = perProcess("tenant-sites", () => new LRUCache<string, Stored>({ max: 10_000 }));

/** The cached data of the tenant, at most a second old: writes to it raise the tenant's access version. */
async function stored(tenantId: string): Promise<Stored | undefined> {
  const cached = cache().get(tenantId);
  const readAt = performance.now();
  if (cached && isCurrent(tenantId, cached.version, readAt)) return cached;
  const rows = await readAccess<Row>("sites-of", ofTenant, [tenantId]);
  const [first] = rows;
  if (!first) return undefined;
  const sites = new Map(
    rows.flatMap(({ siteId, allowedOrigins }) =>
      siteId === null ? [] : [[siteId, allowedOrigins ?? []] as const],
    ),
  );
  const names = Object.fromEntries(
    rows.flatMap(({ siteId, name }) => (siteId === null || name === null ? [] : [[siteId, name]])),
  );
  learnVersion(tenantId, first.version, readAt);
  const { kind, policy, version } = first;
  const found = { sites, names, kind, policy, version };
  cache().set(tenantId, found);
  return found;
}

/** The tenant's sites; none for a tenant that does not exist. */
export const sitesOf = async (tenantId: string): Promise<Sites> =>
  (await stored(tenantId))?.sites ?? new Map();

/** The names of the tenant's sites, by id. */
export const siteNamesOf = async (tenantId: string): Promise<Readonly<Record<string, string>>> =>
  (await stored(tenantId))?.names ?? {};

/** The tenant's own lifetimes. */
export const policyOf = async (tenantId: string): Promise<SecurityPolicy> =>
  (await stored(tenantId))?.policy ?? {};

/** The policy as it is in the store now, for a decision in a transaction that has locked the tenant's row. */
export async function policyNow(on: Executor, tenantId: string): Promise<SecurityPolicy> {
  const [tenant] = await on
    .select({ policy: tenants.policy })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.policy ?? {};
}

/** Whether the tenant is a sandbox, which anybody may have created by sign-up. */
export const isSandbox = async (tenantId: string): Promise<boolean> =>
  (await stored(tenantId))?.kind === "sandbox";
