/** The keys of the audit trail in the query cache. */
export const auditKeys = {
  list: (tenant: string, filters: object) => [tenant, "audit-page", filters],
  ofUser: (tenant: string, filter: object) => [tenant, "audit", filter],
};
