/** The keys of API keys in the query cache. */
export const keyKeys = {
  own: (tenant: string) => [tenant, "api-keys"],
  /** Calls with the user's own keys by day. */
  ownWeeks: (tenant: string) => [tenant, "api-key-weeks"],
  one: (tenant: string, apiKeyId: string) => [tenant, "api-key", apiKeyId],
  lastUse: (tenant: string, apiKeyId: string) => [tenant, "api-key-last-use", apiKeyId],
  managed: (tenant: string) => [tenant, "managed-keys"],
  managedList: (tenant: string, owner: string | undefined, filter: string) => [
    tenant,
    "managed-keys",
    owner ?? "",
    filter,
  ],
  managedActive: (tenant: string, owner: string) => [tenant, "managed-keys", owner, "active"],
};
