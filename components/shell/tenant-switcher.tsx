"use client";

import { ChevronsUpDown } from "lucide-react";
import { t } from "@/components/texts/t";
import type { MenuGroup } from "@/components/ui/menu/item";
import { Menu } from "@/components/ui/menu/menu";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";
import type { PortalView } from "./portal-view";
import { goToTenant, homeOf, type Place, tenantLabel, usePlace } from "./switch-tenant";

function groupsOf(view: PortalView, place: Place): MenuGroup[] {
  const signedIn = view.tenants.map((id) => ({
    key: id,
    label: tenantLabel({ id, name: view.tenantNames[id] ?? id }),
    href: homeOf(id, place),
    leadsOn: true as const,
    chosen: id === view.tenant,
  }));
  const others = view.otherTenants.map(({ id, name }) => ({
    key: id,
    label: tenantLabel({ id, name }),
    onSelect: () => void goToTenant(view, id, place),
  }));
  const sandbox = {
    key: "sandbox",
    label: t("New sandbox"),
    icon: "add" as const,
    onSelect: () => openOverlay("new-sandbox"),
  };
  const more = [
    ...(view.isSignUpOpen ? [sandbox] : []),
    {
      key: "add",
      label: t("Sign in to another tenant"),
      href: "/sign-in?add",
      icon: "sign-in" as const,
    },
  ];
  return [
    { key: "tenants", title: t("Signed in to"), items: signedIn },
    ...(others.length > 0 ? [{ key: "others", title: t("Switch to"), items: others }] : []),
    { key: "more", items: more },
  ];
}

export function TenantSwitcher() {
  const { view } = usePortal();
  const place = usePlace();
  return (
    <Menu
      align="start"
      tone="quiet"
      className="min-w-0 max-w-32 shrink! px-2 text-text sm:max-w-48"
      search={t("Search tenants")}
      groups={groupsOf(view, place)}
    >
      <span className="sr-only">{t("Tenant")} </span>
      <span className="truncate">{view.tenantName}</span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
    </Menu>
  );
}
