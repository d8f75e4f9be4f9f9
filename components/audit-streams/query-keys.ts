/** The keys of audit streams in the query cache. */
export const streamKeys = {
  all: (tenant: string) => [tenant, "audit-streams"],
  list: (tenant: string) => [tenant, "audit-streams", "list"],
  one: (tenant: string, id: string) => [tenant, "audit-streams", "one", id],
};
