import type { OwnTenant } from "@/lib/features/sessions/contract";
import type { Preferences } from "@/lib/protocol/documents/preferences";
import type { ReadersZone } from "./cookies";
import type { NavigationGroup } from "./navigation";

/** One entry of the menu. */
export interface NavigationEntry {
  key: string;
  group: NavigationGroup;
  label: string;
  href: string;
  /** The letter after g, or in the palette, that leads there; as a capital it creates something there. */
  letter: string;
  /** What the person may create there, as the button says it. */
  create?: string;
}

/** An entry that the person may not open, for the palette. */
export interface LockedEntry {
  key: string;
  label: string;
  permission: string;
  /** The narrowest role that gives the permission, by its name. */
  role: string;
}

/** What every page behind sign-in knows about who is looking at which tenant. */
export interface PortalView {
  tenant: string;
  /** What people call the tenant. */
  tenantName: string;
  /** What the tenant is for; unknown where the person is in very many. */
  kind: OwnTenant["kind"] | undefined;
  /** Where the service is reached, for calls to copy. */
  origin: string;
  /** The zone that the person prefers, else the one of the browser. */
  zone: ReadersZone;
  /** Whether further sandboxes may be made. */
  isSignUpOpen: boolean;
  /** Whether the operator has named a mail server. */
  isMailOn: boolean;
  user: { id: string; login: string; name: string };
  /** The sites where a site role applies, or all for a role of the tenant. */
  sites: string[];
  /** The only site where the person has roles, who has none of the tenant. */
  onlySite?: string | undefined;
  /** What people call the sites of the tenant, by id. */
  siteNames: Readonly<Record<string, string>>;
  /** Every tenant that this browser is signed in to. */
  tenants: string[];
  /** The names of those where the person has a role, by id. */
  tenantNames: Record<string, string>;
  /** Whether the sidebar shows icons only. */
  isSidebarCollapsed: boolean;
  /** What this browser keeps of the columns of tables. */
  columns: string;
  /** Where else the person has a role: a switch away. */
  otherTenants: { id: string; name: string }[];
  /** How long the session lasts; times are those of the server. */
  session: {
    endsAt: string;
    lengthSeconds: number;
    /** How long it lasts without use. */
    idleSeconds: number | undefined;
    /** When this was read. */
    now: string;
  };
  /** Where one can sign out too: the identity provider that the session came from. */
  provider: { id: string; name: string } | undefined;
  preferences: Preferences;
  permissions: string[];
  navigation: NavigationEntry[];
  locked: LockedEntry[];
}
