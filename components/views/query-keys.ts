/** Where saved views are held in the query cache. */
export const viewKeys = {
  list: (tenant: string, page: string) => [tenant, "saved-views", page],
};
