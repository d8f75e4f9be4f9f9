/** Where the releases of a site are held in the query cache. */
export const releasesKey = (tenant: string, site: string) => [tenant, "previews", site, "releases"];
