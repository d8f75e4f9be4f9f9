/** Where connections and linked providers are held in the query cache. */
export const connectionKeys = {
  all: (tenant: string) => [tenant, "connections"],
  own: (tenant: string) => [tenant, "identities"],
};
