/** Where connections and linked providers are held in the query cache. */
export const connectionKeys = {
  all: (tenant: string) => [tenant, "connections"],
  requests: (tenant: string, connection: string) => [tenant, "provisioning", connection],
  own: (tenant: string) => [tenant, "identities"],
};
