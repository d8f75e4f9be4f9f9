import { read } from "./open";

/**
 * The only statements that do not name one tenant, each with its reason.
 * The statement guard allows these texts and no other.
 */
export const globalStatements = {
  /** Every node asks for the change counters of all its active tenants at once, twice a second. */
  accessVersions: 'select tenant_id as "tenantId", access_version::float8 as version from tenants where tenant_id = any($1)',
} as const;

/** The change counters of the given tenants. */
export function accessVersions(tenantIds: string[]): Promise<{ tenantId: string; version: number }[]> {
  return read("access-versions", globalStatements.accessVersions, [tenantIds]);
}
