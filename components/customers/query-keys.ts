/** Where customers of a site are held in the query cache. */
export const customerKeys = {
  all: (tenant: string) => [tenant, "customers"],
  lists: (tenant: string, site: string) => [tenant, "customers", site, "list"],
  list: (tenant: string, site: string, query: object) => [tenant, "customers", site, "list", query],
  one: (tenant: string, site: string, id: string) => [tenant, "customers", site, "one", id],
};
