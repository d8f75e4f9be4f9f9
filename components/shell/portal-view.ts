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
  /** The letter that opens it, after g or in the palette; the capital opens its create dialog. */
  letter: string;
  /** The label of the create button, if the user may create something there. */
  create?: string;
}

/** An entry that the user may not open, for the palette. */
export interface LockedEntry {
  key: string;
  label: string;
  permission: string;
  /** The name of the narrowest role with the permission. */
  role: string;
}

/** The data of every page after sign-in about the user and the tenant. */
export interface PortalView {
  tenant: string;
  /** The display name of the tenant. */
  tenantName: string;
  /** The kind of the tenant; unknown when the user is in very many. */
  kind: OwnTenant["kind"] | undefined;
  /** The origin of the service, for calls to copy. */
  origin: string;
  /** The user's preferred zone, otherwise that of the browser. */
  zone: ReadersZone;
  /** Whether further sandboxes can be created. */
  isSignUpOpen: boolean;
  /** Whether the operator has configured a mail server. */
  isMailOn: boolean;
  user: { id: string; login: string; name: string };
  /** The sites where a site role applies, or all for a role of the tenant. */
  sites: string[];
  /** The only site where the user has roles, if the user has none in the tenant. */
  onlySite?: string | undefined;
  /** The display names of the tenant's sites, by id. */
  siteNames: Readonly<Record<string, string>>;
  /** Every tenant that this browser is signed in to. */
  tenants: string[];
  /** The names of the tenants where the user has a role, by id. */
  tenantNames: Record<string, string>;
  /** Whether the sidebar shows icons only. */
  isSidebarCollapsed: boolean;
  /** The column settings of tables, stored in this browser. */
  columns: string;
  /** The other tenants where the user has a role, to switch to. */
  otherTenants: { id: string; name: string }[];
  /** The end and length of the session, in the server's time. */
  session: {
    endsAt: string;
    lengthSeconds: number;
    /** The idle timeout. */
    idleSeconds: number | undefined;
    /** The time at which this was read. */
    now: string;
  };
  /** The identity provider of the session, where the user can also sign out. */
  provider: { id: string; name: string } | undefined;
  preferences: Preferences;
  permissions: string[];
  navigation: NavigationEntry[];
  locked: LockedEntry[];
}
