"use client";

import { ChevronsUpDown, Plus } from "lucide-react";
import { Menu } from "@/components/ui/menu";
import { usePortal } from "./portal";

export function TenantSwitcher() {
  const { view } = usePortal();
  return (
    <Menu
      align="start"
      tone="quiet"
      className="min-w-0 max-w-48 shrink px-2 text-text"
      groups={[
        {
          key: "tenants",
          title: "Signed in to",
          items: view.tenants.map((tenant) => ({ key: tenant, label: tenant, href: `/t/${tenant}`, chosen: tenant === view.tenant })),
        },
        {
          key: "more",
          items: [
            {
              key: "add",
              label: "Sign in to another tenant",
              href: "/sign-in?add",
              icon: <Plus aria-hidden="true" className="size-4 text-muted" />,
            },
          ],
        },
      ]}
    >
      <span className="sr-only">Tenant </span>
      <span className="truncate">{view.tenant}</span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
    </Menu>
  );
}
