"use client";

import { Command } from "cmdk";
import { ArrowRightLeft, Plus } from "lucide-react";
import { openOverlay } from "@/components/shell/overlay";
import { usePortal } from "@/components/shell/portal";
import { goToTenant, otherTenants, tenantLabel, usePlace } from "@/components/shell/switch-tenant";
import { t } from "@/components/texts/t";
import { PaletteItem } from "./item";

const icon = "size-4 text-muted";

export function PaletteTenants() {
  const { view } = usePortal();
  const place = usePlace();
  return (
    <Command.Group heading={t("Switch tenant")}>
      {otherTenants(view).map((tenant) => (
        <PaletteItem
          key={tenant.id}
          value={`tenant-${tenant.id}`}
          keywords={["tenant", tenant.name, tenant.id]}
          icon={<ArrowRightLeft aria-hidden="true" className={icon} />}
          onSelect={() => void goToTenant(view, tenant.id, place)}
        >
          {tenantLabel(tenant)}
        </PaletteItem>
      ))}
      {view.isSignUpOpen ? (
        <PaletteItem
          value="new-sandbox"
          keywords={[t("New sandbox"), "tenant"]}
          icon={<Plus aria-hidden="true" className={icon} />}
          onSelect={() => openOverlay("new-sandbox")}
        >
          {t("New sandbox")}
        </PaletteItem>
      ) : null}
    </Command.Group>
  );
}
