/** `<resource>.<action>`; manage includes write, write includes read. */
export const permissions = [
  "user.read",
  "user.manage",
  "role.read",
  "session.manage",
  "api-key.manage",
  "audit.read",
  "audit.manage",
  "event.read",
  "tenant.read",
  "tenant.manage",
  "webhook.manage",
  "credential.verify",
  "api-metric.read",
  "api-metric.write",
  "api-metric.export",
  "preview.configuration.read",
  "preview.configuration.write",
  "customer.read",
  "customer.manage",
  "order.manage",
  "promotion.manage",
  "inventory.manage",
  "rating.manage",
  "data-capture.manage",
  "shipping-carrier.manage",
  "cart.manage",
  "wishlist.manage",
  "clotho.manage",
  "quote.manage",
  "return-policy.manage",
  "location.manage",
  "finance-offer.manage",
  "pricing-feed.manage",
] as const;

export type Permission = (typeof permissions)[number];

const includes: Record<string, string[]> = {
  manage: ["manage", "write", "read"],
  write: ["write", "read"],
};

/** The permissions on other resources that a permission includes: an event is an audit entry without its values. */
const alsoIncludes: Partial<Record<Permission, readonly Permission[]>> = {
  "audit.read": ["event.read"],
};

/** Every permission that the given ones include, and the given ones. */
export function expand(granted: readonly Permission[]): Set<Permission> {
  const all = new Set<Permission>();
  for (const permission of granted) {
    for (const included of alsoIncludes[permission] ?? []) all.add(included);
    const dot = permission.lastIndexOf(".");
    const [resource, action] = [permission.slice(0, dot), permission.slice(dot + 1)];
    for (const name of permissions) {
      if ((includes[action] ?? [action]).some((included) => name === `${resource}.${included}`))
        all.add(name);
    }
  }
  return all;
}
