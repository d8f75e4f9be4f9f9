/** The keys of rejected requests in the query cache. */
export const requestKeys = {
  list: (tenant: string, filters: object) => [tenant, "requests", filters],
  one: (tenant: string, id: string) => [tenant, "request", id],
};
