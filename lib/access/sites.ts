import { LRUCache } from "lru-cache";
import { read } from "@/lib/db/open";
import { isCurrent, learnVersion } from "./access-versions";

/** The tenant's sites: by id the origins of pages that may call its consumer interface. */
type Sites = ReadonlyMap<string, readonly string[]>;

interface Stored {
  sites: Sites;
  version: number;
}

interface Row {
  siteId: string | null;
  allowedOrigins: string[] | null;
  version: number;
}

const ofTenant = `select s.site_id as "siteId", s.allowed_origins as "allowedOrigins", t.access_version::float8 as version
  from tenants t left join sites s on s.tenant_id = $1 where t.tenant_id = $1`;

function cache(): LRUCache<string, Stored> {
  const shared = globalThis as { gatehouseSites?: LRUCache<string, Stored> };
  shared.gatehouseSites ??= new LRUCache({ max: 10_000 });
  return shared.gatehouseSites;
}

/** The tenant's sites, at most a second old: writes to them raise the tenant's access version. None for a tenant that does not exist. */
export async function sitesOf(tenantId: string): Promise<Sites> {
  const cached = cache().get(tenantId);
  const readAt = performance.now();
  if (cached && isCurrent(tenantId, cached.version, readAt)) return cached.sites;
  const rows = await read<Row>("sites-of", ofTenant, [tenantId]);
  const [first] = rows;
  const sites = new Map(rows.flatMap(({ siteId, allowedOrigins }) => (siteId === null ? [] : [[siteId, allowedOrigins ?? []] as const])));
  if (!first) return sites;
  learnVersion(tenantId, first.version, readAt);
  cache().set(tenantId, { sites, version: first.version });
  return sites;
}
