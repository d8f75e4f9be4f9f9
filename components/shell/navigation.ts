import type { Permission } from "@/lib/protocol/permissions";

/** The groups of the menu, in their order. */
export const navigationGroups = [
  { key: "overview", label: "Overview" },
  { key: "access", label: "Access" },
  { key: "commerce", label: "Commerce" },
  { key: "platform", label: "Platform" },
] as const;

export type NavigationGroup = (typeof navigationGroups)[number]["key"];

interface Place {
  key: string;
  group: NavigationGroup;
  label: string;
  /** Below /t/{tenant}, or below /t/{tenant}/sites/{site}. */
  path: string;
  isPerSite?: true;
  letter: string;
  /** Absent: anyone with a role in the tenant. */
  permission?: Permission;
  /** A role at a site is not enough. */
  isTenantWide?: true;
  /** What is created there, in a dialog that `?do=create` opens, and who may. */
  create?: { label: string; permission: Permission };
}

/** The places of the portal: menu, palette and shortcuts read this one list. */
export const places: readonly Place[] = [
  { key: "home", group: "overview", label: "Home", path: "", letter: "h" },
  {
    key: "metrics",
    group: "overview",
    label: "Metrics",
    path: "/metrics",
    letter: "t",
    permission: "api-metric.read",
  },
  {
    key: "alerts",
    group: "overview",
    label: "Alerts",
    path: "/alerts",
    letter: "l",
    permission: "api-metric.read",
    create: { label: "Create alert", permission: "api-metric.write" },
  },
  {
    key: "requests",
    group: "overview",
    label: "Requests",
    path: "/requests",
    letter: "r",
    permission: "audit.read",
    isTenantWide: true,
  },
  {
    key: "users",
    group: "access",
    label: "Users",
    path: "/users",
    letter: "u",
    permission: "user.read",
    create: { label: "Invite user", permission: "user.manage" },
  },
  {
    key: "keys",
    group: "access",
    label: "API keys",
    path: "/keys",
    letter: "k",
    permission: "api-key.manage",
    isTenantWide: true,
  },
  {
    key: "access-review",
    group: "access",
    label: "Access review",
    path: "/access-review",
    letter: "v",
    permission: "user.manage",
  },
  { key: "me", group: "access", label: "Your details", path: "/me", letter: "m" },
  {
    key: "previews",
    group: "commerce",
    label: "Previews",
    path: "/previews",
    isPerSite: true,
    letter: "p",
    permission: "preview.configuration.read",
    create: { label: "Create preview", permission: "preview.configuration.write" },
  },
  {
    key: "releases",
    group: "commerce",
    label: "Releases",
    path: "/releases",
    isPerSite: true,
    letter: "e",
    permission: "preview.configuration.write",
    create: { label: "Create release", permission: "preview.configuration.write" },
  },
  {
    key: "customers",
    group: "commerce",
    label: "Customers",
    path: "/customers",
    isPerSite: true,
    letter: "c",
    permission: "customer.manage",
    create: { label: "Create customer", permission: "customer.manage" },
  },
  {
    key: "webhooks",
    group: "platform",
    label: "Webhooks",
    path: "/webhooks",
    letter: "w",
    permission: "webhook.manage",
    isTenantWide: true,
    create: { label: "Create webhook", permission: "webhook.manage" },
  },
  {
    key: "streams",
    group: "platform",
    label: "Streams",
    path: "/streams",
    letter: "d",
    permission: "audit.manage",
    isTenantWide: true,
    create: { label: "Create stream", permission: "audit.manage" },
  },
  {
    key: "audit",
    group: "platform",
    label: "Audit",
    path: "/audit",
    letter: "a",
    permission: "audit.read",
    isTenantWide: true,
  },
  {
    key: "settings",
    group: "platform",
    label: "Settings",
    path: "/settings",
    letter: "s",
    permission: "tenant.manage",
    isTenantWide: true,
  },
];
