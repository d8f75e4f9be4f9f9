import { type Message, msg } from "@/components/texts/t";
import type { Permission } from "@/lib/protocol/permissions";

/** The groups of the menu, in their order. */
export const navigationGroups = [
  { key: "overview", label: msg("Overview") },
  { key: "access", label: msg("Access") },
  { key: "commerce", label: msg("Commerce") },
  { key: "platform", label: msg("Platform") },
] as const;

export type NavigationGroup = (typeof navigationGroups)[number]["key"];

interface Place {
  key: string;
  group: NavigationGroup;
  label: Message;
  /** Below /t/{tenant}, or below /t/{tenant}/sites/{site}. */
  path: string;
  isPerSite?: true;
  letter: string;
  /** Absent: anyone with a role in the tenant. */
  permission?: Permission;
  /** A role at a site is not enough. */
  isTenantWide?: true;
  /** The label and permission of the create dialog there, which `?do=create` opens. */
  create?: { label: Message; permission: Permission };
}

/** The pages of the portal, for the menu, the palette and the shortcuts. */
export const places: readonly Place[] = [
  { key: "home", group: "overview", label: msg("Home"), path: "", letter: "h" },
  {
    key: "metrics",
    group: "overview",
    label: msg("Metrics"),
    path: "/metrics",
    letter: "t",
    permission: "api-metric.read",
  },
  {
    key: "alerts",
    group: "overview",
    label: msg("Alerts"),
    path: "/alerts",
    letter: "l",
    permission: "api-metric.read",
    create: { label: msg("Create alert"), permission: "api-metric.write" },
  },
  {
    key: "requests",
    group: "overview",
    label: msg("Requests"),
    path: "/requests",
    letter: "r",
    permission: "audit.read",
    isTenantWide: true,
  },
  {
    key: "users",
    group: "access",
    label: msg("Users"),
    path: "/users",
    letter: "u",
    permission: "user.read",
    create: { label: msg("Invite user"), permission: "user.manage" },
  },
  {
    key: "keys",
    group: "access",
    label: msg("API keys"),
    path: "/keys",
    letter: "k",
    permission: "api-key.manage",
    isTenantWide: true,
  },
  {
    key: "access-review",
    group: "access",
    label: msg("Access review"),
    path: "/access-review",
    letter: "v",
    permission: "user.manage",
  },
  { key: "me", group: "access", label: msg("Your details"), path: "/me", letter: "m" },
  {
    key: "previews",
    group: "commerce",
    label: msg("Previews"),
    path: "/previews",
    isPerSite: true,
    letter: "p",
    permission: "preview.configuration.read",
    create: { label: msg("Create preview"), permission: "preview.configuration.write" },
  },
  {
    key: "releases",
    group: "commerce",
    label: msg("Releases"),
    path: "/releases",
    isPerSite: true,
    letter: "e",
    permission: "preview.configuration.write",
    create: { label: msg("Create release"), permission: "preview.configuration.write" },
  },
  {
    key: "customers",
    group: "commerce",
    label: msg("Customers"),
    path: "/customers",
    isPerSite: true,
    letter: "c",
    permission: "customer.manage",
    create: { label: msg("Create customer"), permission: "customer.manage" },
  },
  {
    key: "webhooks",
    group: "platform",
    label: msg("Webhooks"),
    path: "/webhooks",
    letter: "w",
    permission: "webhook.manage",
    isTenantWide: true,
    create: { label: msg("Create webhook"), permission: "webhook.manage" },
  },
  {
    key: "streams",
    group: "platform",
    label: msg("Streams"),
    path: "/streams",
    letter: "d",
    permission: "audit.manage",
    isTenantWide: true,
    create: { label: msg("Create stream"), permission: "audit.manage" },
  },
  {
    key: "audit",
    group: "platform",
    label: msg("Audit"),
    path: "/audit",
    letter: "a",
    permission: "audit.read",
    isTenantWide: true,
  },
  {
    key: "settings",
    group: "platform",
    label: msg("Settings"),
    path: "/settings",
    letter: "s",
    permission: "tenant.manage",
    isTenantWide: true,
  },
];
