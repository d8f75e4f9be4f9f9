"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Few } from "@/components/ui/table/few";
import { Cell, Row } from "@/components/ui/table/table";
import type { Site } from "@/lib/features/tenants/sites-contract";
import { tenantKeys } from "./query-keys";
import { SiteDialog } from "./site-dialog";

type Open = { what: "new" } | { what: "edit" | "delete"; site: Site };

export function SitesCard() {
  const { view, call } = usePortal();
  const [open, setOpen] = useState<Open>();
  const found = useQuery({
    queryKey: tenantKeys.sites(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/sites", { query: { limit: "200" }, signal }),
  });
  return (
    <Card
      id="sites"
      flush
      title={t("Sites")}
      description={t(
        "The shops of this tenant. Customers, preview configurations and site roles belong to a site.",
      )}
      actions={<Button onClick={() => setOpen({ what: "new" })}>{t("Add site")}</Button>}
    >
      <Loaded found={found} failed={t("The sites could not be loaded")} skeleton="m-4 h-32" flush>
        {(sites) =>
          sites.length > 0 ? (
            <Few items={sites} first={5}>
              {(shown) => <SitesTable sites={shown} onOpen={setOpen} />}
            </Few>
          ) : (
            <EmptyState
              title={t("No sites yet")}
              purpose={t("Customers and preview configurations belong to a site.")}
            />
          )
        }
      </Loaded>
      {open ? <OpenDialog open={open} onClose={() => setOpen(undefined)} /> : null}
    </Card>
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: tenantKeys.sites(view.tenant) });
  if (open.what !== "delete") {
    const site = open.what === "edit" ? open.site : undefined;
    return <SiteDialog site={site} onChanged={changed} onClose={onClose} />;
  }
  const { id } = open.site;
  const remove = async () => {
    await call("DELETE /v1/tenant/sites/{id}", { params: { id } });
    await changed();
  };
  return (
    <ActionDialog
      title={t("Delete the site {id}", { id })}
      description={t(
        "You can delete a site only when nothing belongs to it. Its id can then be reused.",
      )}
      confirm={t("Delete site")}
      danger
      failed={t("The site was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

function SitesTable({ sites, onOpen }: { sites: Site[]; onOpen: (open: Open) => void }) {
  return (
    <DataTable
      label={t("Sites, newest first")}
      className="[--row:44px]"
      name="sites"
      heads={[t("Site"), t("Name"), t("Locales"), t("Currency"), t("Allowed origins")]}
      hasActions
    >
      <tbody>
        {sites.map((site) => (
          <SiteRow key={site.id} site={site} onOpen={onOpen} />
        ))}
      </tbody>
    </DataTable>
  );
}

function SiteRow({ site, onOpen }: { site: Site; onOpen: (open: Open) => void }) {
  return (
    <Row>
      <Cell className="max-w-64 truncate" title={site.id} card="lead">
        <code className="text-meta">{site.id}</code>
      </Cell>
      <Cell className="max-w-64 truncate" title={site.name}>
        {site.name}
      </Cell>
      <Cell className="text-muted" label={t("Locales")}>
        {site.locales.join(", ") || t("none")}
      </Cell>
      <Cell className="text-muted" label={t("Currency")}>
        {site.currency ?? t("none")}
      </Cell>
      <Cell
        className="max-w-72 truncate text-muted"
        title={site.allowedOrigins.join(", ")}
        label={t("Allowed origins")}
      >
        {site.allowedOrigins.join(", ") || t("none")}
      </Cell>
      <Cell className="text-end" card="end">
        <Button
          tone="quiet"
          size="small"
          aria-label={t("Edit site {id}", { id: site.id })}
          onClick={() => onOpen({ what: "edit", site })}
        >
          {t("Edit")}
        </Button>
        <Button
          tone="quiet"
          size="small"
          aria-label={t("Delete site {id}", { id: site.id })}
          onClick={() => onOpen({ what: "delete", site })}
        >
          {t("Delete")}
        </Button>
      </Cell>
    </Row>
  );
}
