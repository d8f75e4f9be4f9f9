/** The keys of users and their details in the query cache. */
export const userKeys = {
  all: (tenant: string) => [tenant, "users"],
  list: (tenant: string, query: object) => [tenant, "users", query],
  find: (tenant: string, site: string | undefined, q: string) => [tenant, "users", "find", site, q],
  byLogin: (tenant: string, login: string) => [tenant, "users-by-login", login],
  accessRequests: (tenant: string) => [tenant, "access-requests"],
  review: (tenant: string, site: string | undefined) => [tenant, "users", "review", site],
  lastUse: (tenant: string, userId: string, site: string | undefined) => [
    tenant,
    "last-use",
    userId,
    site,
  ],
  groupRoles: (tenant: string, userId: string, site: string | undefined) => [
    tenant,
    "user-group-roles",
    userId,
    site,
  ],
  roles: (tenant: string, userId: string, site: string | undefined) => [
    tenant,
    "user-roles",
    userId,
    site,
  ],
};
