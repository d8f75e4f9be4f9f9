"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ArrowRightLeft, Building2, FileText, Plus } from "lucide-react";
import { usePreviewList } from "@/components/previews/preview-queries";
import { openOverlay } from "@/components/shell/overlay";
import { usePortal } from "@/components/shell/portal";
import { goToTenant, otherTenants, tenantLabel, usePlace } from "@/components/shell/switch-tenant";
import { t } from "@/components/texts/t";
import { foundAlready, PaletteItem } from "./item";

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

const maxShown = 5;

interface PaletteSitesProps {
  search: string;
  /** The site of the page; without one the previews of the first visible site are searched. */
  site: string | undefined;
  open: (href: string, label: string) => void;
}

const includes = (text: string, search: string) =>
  text.toLowerCase().includes(search.trim().toLowerCase());

/** The pages of each site whose id matches, and the previews of one. */
export function PaletteSites({ search, site, open }: PaletteSitesProps) {
  const { view } = usePortal();
  const may = (permission: string) => view.permissions.includes(permission);
  const pages = [
    ...(may("preview.configuration.read") ? [{ path: "previews", label: t("Previews") }] : []),
    ...(may("customer.manage") ? [{ path: "customers", label: t("Customers") }] : []),
  ];
  const where = site ?? view.sites[0];
  if (search.trim().length < 2) return null;
  const found = view.sites.filter((id) => includes(id, search)).slice(0, maxShown);
  return (
    <>
      {found.length > 0 && pages.length > 0 ? (
        <Command.Group heading={t("Sites")}>
          {found.flatMap((id) =>
            pages.map(({ path, label }) => (
              <PaletteItem
                key={`${id}-${path}`}
                value={`site-${id}-${path}`}
                keywords={[foundAlready]}
                icon={<Building2 aria-hidden="true" className={icon} />}
                onSelect={() =>
                  open(`/t/${view.tenant}/sites/${id}/${path}`, t("{label} of {id}", { label, id }))
                }
              >
                {t("{label} of {id}", { label, id })}
              </PaletteItem>
            )),
          )}
        </Command.Group>
      ) : null}
      {where !== undefined && may("preview.configuration.read") ? (
        <Previews {...{ search, open }} site={where} />
      ) : null}
    </>
  );
}

function Previews({ search, site, open }: PaletteSitesProps & { site: string }) {
  const { view } = usePortal();
  const { data = [] } = useQuery(usePreviewList(site));
  const found = data.filter(({ key, title = "" }) => includes(`${key} ${title}`, search));
  if (found.length === 0) return null;
  return (
    <Command.Group heading={t("Previews of {site}", { site })}>
      {found.slice(0, maxShown).map(({ key, title = key }) => (
        <PaletteItem
          key={key}
          value={`preview-${site}-${key}`}
          keywords={[foundAlready]}
          icon={<FileText aria-hidden="true" className={icon} />}
          note={key}
          onSelect={() => open(`/t/${view.tenant}/sites/${site}/previews/${key}`, title)}
        >
          {title}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
