import type { RoleId } from "./roles";

/** The purpose of each role in one line, for people who grant it. Separate from the table of roles, which browsers load. */
export const roleMeanings: Record<RoleId, string> = {
  "tenant.admin": "Everything in the tenant, now and in later releases.",
  "portal.users.mgmt":
    "Invites and locks users, grants roles, manages all API keys, reads the audit trail.",
  "portal.configurations.mgmt":
    "Edits previews, manages webhooks, verifies credentials of other services.",
  "portal.analytics.mgmt": "Reads and exports metrics of API calls.",
  "portal.data-feed.mgmt": "Sends counts of calls from other services. Reads nothing.",
  "portal.data-capture.mgmt": "Manages data capture in the platform's other services.",
  "portal.qa.mgmt": "Reads previews and metrics. Changes nothing.",
  "portal.pim.mgmt": "Creates, edits and archives preview configurations.",
  "portal.catalog.mgmt": "Reads preview configurations.",
  "portal.ratings.mgmt": "Manages ratings in the platform's other services.",
  "portal.customers.mgmt":
    "Finds, edits, locks and erases customers; may reveal their personal data.",
  "portal.order.mgmt": "Manages orders in the platform's other services.",
  "portal.promotions.mgmt": "Manages promotions in the platform's other services.",
  "portal.inventory.mgmt": "Manages stock in the platform's other services.",
  "portal.shipping-carrier.mgmt": "Manages shipping carriers in the platform's other services.",
  "portal.cart.mgmt": "Manages carts in the platform's other services.",
  "portal.wishlist.mgmt": "Manages wish lists in the platform's other services.",
  "portal.clotho.mgmt": "Manages Clotho in the platform's other services.",
  "portal.quotes.mgmt": "Manages quotes in the platform's other services.",
  "portal.return-policy.mgmt": "Manages return policies in the platform's other services.",
  "portal.locations.mgmt": "Manages locations in the platform's other services.",
  "portal.finance-offers.mgmt": "Manages finance offers in the platform's other services.",
  "portal.pricing-feed.mgmt": "Manages the pricing feed in the platform's other services.",
  "portal.default": "Signs in and manages the own account. Opens nothing else.",
};
