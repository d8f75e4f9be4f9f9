/** The keys of a tenant's settings and of the platform's list of tenants in the query cache. */
export const tenantKeys = {
  own: (tenant: string) => [tenant, "tenant"],
  sites: (tenant: string) => [tenant, "sites"],
  securityPolicy: (tenant: string) => [tenant, "security-policy"],
  emergencyAdministrators: (tenant: string) => [tenant, "emergency-administrators"],
  withoutSecondFactor: (tenant: string) => [tenant, "without-second-factor"],
  quotas: (tenant: string) => [tenant, "quotas"],
  list: (tenant: string) => [tenant, "tenants"],
};
