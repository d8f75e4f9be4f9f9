/** The key of a site's releases in the query cache. */
export const releasesKey = (tenant: string, site: string) => [tenant, "previews", site, "releases"];
