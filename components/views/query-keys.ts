/** The keys of saved views in the query cache. */
export const viewKeys = {
  list: (tenant: string, page: string) => [tenant, "saved-views", page],
};
