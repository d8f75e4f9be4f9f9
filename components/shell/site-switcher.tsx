"use client";

import { ChevronsUpDown } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { t } from "@/components/texts/t";
import { Menu } from "@/components/ui/menu/menu";
import { usePortal } from "./portal";
import { isSitePage, useSite, withSite } from "./site";

export function SiteSwitcher() {
  const { view } = usePortal();
  const site = useSite();
  const path = usePathname();
  const router = useRouter();
  const open = (next: string | undefined) => router.push(withSite(path, next));
  return (
    <Menu
      align="start"
      tone="quiet"
      className="min-w-0 shrink! px-2"
      search={t("Search sites")}
      groups={[
        {
          key: "sites",
          title: t("Show"),
          items: [
            ...(isSitePage(path)
              ? []
              : [
                  {
                    key: "",
                    label: t("All sites"),
                    chosen: site === undefined,
                    onSelect: () => open(undefined),
                  },
                ]),
            ...view.sites.map((id) => ({
              key: id,
              label: id,
              chosen: id === site,
              onSelect: () => open(id),
            })),
          ],
        },
      ]}
    >
      <span className="sr-only">{t("Site")} </span>
      <span className="min-w-0 max-w-40 truncate">{site ?? t("All sites")}</span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
    </Menu>
  );
}
