/** The keys of connections and linked providers in the query cache. */
export const connectionKeys = {
  all: (tenant: string) => [tenant, "connections"],
  requests: (tenant: string, connection: string) => [tenant, "provisioning", connection],
  roles: (tenant: string) => [tenant, "role-names"],
  own: (tenant: string) => [tenant, "identities"],
};
