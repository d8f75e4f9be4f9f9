import { expand, type Permission, permissions } from "@/lib/protocol/permissions";

interface RoleEntry {
  name: string;
  group: "Administration" | "Insight" | "Content" | "Commerce" | "Base";
  permissions: readonly Permission[];
  /** Stored, shown and granted here; checked by the platform's other services. */
  reserved?: true;
}

const commerce = (name: string, permission: Permission): RoleEntry => ({
  name,
  group: "Commerce",
  permissions: [permission],
  reserved: true,
});

/** The one table from roles to permissions: handlers, menus, pages and docs read it. A role at a site applies to that site only. */
export const roles = {
  "tenant.admin": { name: "Tenant Administrator", group: "Administration", permissions },
  "portal.users.mgmt": {
    name: "Portals Users Management",
    group: "Administration",
    permissions: ["user.manage", "role.read", "session.manage", "api-key.manage", "audit.read"],
  },
  "portal.configurations.mgmt": {
    name: "Configurations Management",
    group: "Administration",
    permissions: [
      "preview.configuration.write",
      "webhook.manage",
      "event.read",
      "tenant.read",
      "credential.verify",
    ],
  },
  "portal.analytics.mgmt": {
    name: "Analytics Management",
    group: "Insight",
    permissions: ["api-metric.read", "api-metric.export"],
  },
  "portal.data-feed.mgmt": {
    name: "Data Feed Management",
    group: "Insight",
    permissions: ["api-metric.write"],
  },
  "portal.data-capture.mgmt": {
    name: "Data Capture Management",
    group: "Insight",
    permissions: ["data-capture.manage"],
    reserved: true,
  },
  "portal.qa.mgmt": {
    name: "Quality Assurance",
    group: "Insight",
    permissions: ["preview.configuration.read", "api-metric.read"],
  },
  "portal.pim.mgmt": {
    name: "Product Information Management",
    group: "Content",
    permissions: ["preview.configuration.write"],
  },
  "portal.catalog.mgmt": {
    name: "Catalog Management",
    group: "Content",
    permissions: ["preview.configuration.read"],
  },
  "portal.ratings.mgmt": {
    name: "Ratings Management",
    group: "Content",
    permissions: ["rating.manage"],
    reserved: true,
  },
  "portal.customers.mgmt": {
    name: "Customers Management",
    group: "Commerce",
    permissions: ["customer.manage"],
  },
  "portal.order.mgmt": commerce("Order Management", "order.manage"),
  "portal.promotions.mgmt": commerce("Promotions Management", "promotion.manage"),
  "portal.inventory.mgmt": commerce("Inventory Management", "inventory.manage"),
  "portal.shipping-carrier.mgmt": commerce(
    "Shipping Carrier Management",
    "shipping-carrier.manage",
  ),
  "portal.cart.mgmt": commerce("Cart Management", "cart.manage"),
  "portal.wishlist.mgmt": commerce("Wishlist Management", "wishlist.manage"),
  "portal.clotho.mgmt": commerce("Clotho Management", "clotho.manage"),
  "portal.quotes.mgmt": commerce("Quotes Management", "quote.manage"),
  "portal.return-policy.mgmt": commerce("Return Policy Management", "return-policy.manage"),
  "portal.locations.mgmt": commerce("Locations Management", "location.manage"),
  "portal.finance-offers.mgmt": commerce("Finance Offers Management", "finance-offer.manage"),
  "portal.pricing-feed.mgmt": commerce("Pricing Feed Management", "pricing-feed.manage"),
  "portal.default": { name: "Portal Access", group: "Base", permissions: [] },
} as const satisfies Record<string, RoleEntry>;

export type RoleId = keyof typeof roles;

export const roleIds = Object.keys(roles) as RoleId[];

const expanded: ReadonlyMap<string, ReadonlySet<Permission>> = new Map(
  roleIds.map((id) => [id, expand(roles[id].permissions)]),
);
const none: ReadonlySet<Permission> = new Set();

/** Every permission that the role gives, including implied ones. */
export function permissionsOf(roleId: string): ReadonlySet<Permission> {
  return expanded.get(roleId) ?? none;
}

/** The roles that give the permission, the narrowest first: that one is suggested to callers without the permission. */
export function rolesWith(permission: Permission): RoleId[] {
  return roleIds
    .filter((id) => permissionsOf(id).has(permission))
    .sort((a, b) => permissionsOf(a).size - permissionsOf(b).size);
}
