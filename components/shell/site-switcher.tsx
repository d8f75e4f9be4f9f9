"use client";

import { ChevronsUpDown } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { t } from "@/components/texts/t";
import { Menu } from "@/components/ui/menu/menu";
import { usePortal } from "./portal";
import { isSitePage, useSite, useSiteName, withSite } from "./site";

/** The current site, and a menu of the others; without a menu for users with roles at one site only. */
export function SiteSwitcher() {
  const { onlySite } = usePortal().view;
  return onlySite === undefined ? <SiteMenu /> : <OnlySite site={onlySite} />;
}

function OnlySite({ site }: { site: string }) {
  const nameOf = useSiteName();
  return (
    <span className="min-w-0 max-w-40 truncate px-2 text-control" title={site}>
      <span className="sr-only">{t("Site")} </span>
      {nameOf(site)}
    </span>
  );
}

function SiteMenu() {
  const { view } = usePortal();
  const site = useSite();
  const nameOf = useSiteName();
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
              label: nameOf(id) === id ? id : `${nameOf(id)} (${id})`,
              chosen: id === site,
              onSelect: () => open(id),
            })),
          ],
        },
      ]}
    >
      <span className="sr-only">{t("Site")} </span>
      <span className="min-w-0 max-w-40 truncate">
        {site === undefined ? t("All sites") : nameOf(site)}
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
    </Menu>
  );
}
