"use client";

import { Command } from "cmdk";
import { History } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { PaletteItem } from "./item";
import { readRecent } from "./recent-places";

/** Where the palette led lately, until something is typed. */
export function PaletteRecent({ search, open }: { search: string; open: (href: string) => void }) {
  const { view } = usePortal();
  const places = readRecent(view.tenant, view.user.id);
  if (search.trim() !== "" || places.length === 0) return null;
  return (
    <Command.Group heading={t("Recent")}>
      {places.map(({ href, label }) => (
        <PaletteItem
          key={href}
          value={`recent-${href}`}
          icon={<History aria-hidden="true" className="size-4 text-muted" />}
          onSelect={() => open(href)}
        >
          {label}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
