/** The keys of alerts in the query cache. */
export const alertKeys = {
  all: (tenant: string) => [tenant, "alerts"],
  list: (tenant: string) => [tenant, "alerts", "list"],
  one: (tenant: string, id: string) => [tenant, "alerts", "one", id],
  recipient: (tenant: string, id: string) => [tenant, "alert-recipient", id],
  recipients: (tenant: string, q: string) => [tenant, "alert-recipients", q],
  history: (tenant: string, id: string) => [tenant, "alerts", "history", id],
};
