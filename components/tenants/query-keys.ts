/** Where a tenant's settings, and for the platform the list of tenants, are held in the query cache. */
export const tenantKeys = {
  own: (tenant: string) => [tenant, "tenant"],
  sites: (tenant: string) => [tenant, "sites"],
  securityPolicy: (tenant: string) => [tenant, "security-policy"],
  emergencyAdministrators: (tenant: string) => [tenant, "emergency-administrators"],
  withoutSecondFactor: (tenant: string) => [tenant, "without-second-factor"],
  quotas: (tenant: string) => [tenant, "quotas"],
  list: (tenant: string) => [tenant, "tenants"],
};
