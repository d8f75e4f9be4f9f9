import type { Permission } from "@/lib/protocol/permissions";

interface Place {
  key: string;
  label: string;
  /** Below /t/{tenant}, or below /t/{tenant}/sites/{site}. */
  path: string;
  isPerSite?: true;
  letter: string;
  /** Absent: anyone with a role in the tenant. */
  permission?: Permission;
  /** A role at a site is not enough. */
  isTenantWide?: true;
}

/** The places of the portal: menu, palette and shortcuts read this one list. */
export const places: readonly Place[] = [
  { key: "home", label: "Home", path: "", letter: "h" },
  {
    key: "metrics",
    label: "Metrics",
    path: "/metrics",
    letter: "t",
    permission: "api-metric.read",
  },
  {
    key: "requests",
    label: "Requests",
    path: "/requests",
    letter: "r",
    permission: "audit.read",
    isTenantWide: true,
  },
  { key: "users", label: "Users", path: "/users", letter: "u", permission: "user.read" },
  {
    key: "keys",
    label: "API keys",
    path: "/keys",
    letter: "k",
    permission: "api-key.manage",
    isTenantWide: true,
  },
  {
    key: "webhooks",
    label: "Webhooks",
    path: "/webhooks",
    letter: "w",
    permission: "webhook.manage",
    isTenantWide: true,
  },
  {
    key: "streams",
    label: "Streams",
    path: "/streams",
    letter: "d",
    permission: "audit.manage",
    isTenantWide: true,
  },
  {
    key: "previews",
    label: "Previews",
    path: "/previews",
    isPerSite: true,
    letter: "p",
    permission: "preview.configuration.read",
  },
  {
    key: "customers",
    label: "Customers",
    path: "/customers",
    isPerSite: true,
    letter: "c",
    permission: "customer.manage",
  },
  {
    key: "audit",
    label: "Audit",
    path: "/audit",
    letter: "a",
    permission: "audit.read",
    isTenantWide: true,
  },
  {
    key: "settings",
    label: "Settings",
    path: "/settings",
    letter: "s",
    permission: "tenant.manage",
    isTenantWide: true,
  },
  { key: "me", label: "Your details", path: "/me", letter: "m" },
];
