/** The keys of webhooks in the query cache. */
export const webhookKeys = {
  all: (tenant: string) => [tenant, "webhooks"],
  list: (tenant: string) => [tenant, "webhooks", "list"],
  one: (tenant: string, id: string) => [tenant, "webhooks", "one", id],
  deliveries: (tenant: string, id: string, filters: object) => [
    tenant,
    "webhooks",
    "deliveries",
    id,
    filters,
  ],
  delivery: (tenant: string, id: string, deliveryId: string) => [
    tenant,
    "webhooks",
    "delivery",
    id,
    deliveryId,
  ],
};
