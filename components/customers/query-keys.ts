/** The keys of a site's customers in the query cache. */
export const customerKeys = {
  all: (tenant: string) => [tenant, "customers"],
  lists: (tenant: string, site: string) => [tenant, "customers", site, "list"],
  list: (tenant: string, site: string, query: object) => [tenant, "customers", site, "list", query],
  imports: (tenant: string, site: string) => [tenant, "customers", site, "imports"],
  import: (tenant: string, site: string, id: string) => [tenant, "customers", site, "import", id],
  one: (tenant: string, site: string, id: string) => [tenant, "customers", site, "one", id],
};
