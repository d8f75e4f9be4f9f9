"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Loaded } from "@/components/ui/loaded";
import { Cell, HeadCell, Row } from "@/components/ui/table";
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
      title="Sites"
      description="The shops of this tenant. Customers, preview configurations and site roles belong to a site."
      actions={<Button onClick={() => setOpen({ what: "new" })}>Add site</Button>}
    >
      <Loaded found={found} failed="The sites could not be loaded" skeleton="m-4 h-32" flush>
        {(sites) =>
          sites.length > 0 ? (
            <SitesTable sites={sites} onOpen={setOpen} />
          ) : (
            <EmptyState
              title="No sites yet"
              purpose="Customers and preview configurations belong to a site."
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
      title={`Delete the site ${id}`}
      description="You can delete a site only when nothing belongs to it. Its id can then be reused."
      confirm="Delete site"
      danger
      failed="The site was not deleted"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

function SitesTable({ sites, onOpen }: { sites: Site[]; onOpen: (open: Open) => void }) {
  return (
    <DataTable label="Sites, newest first" className="[--row:44px]">
      <thead>
        <tr>
          <HeadCell>Site</HeadCell>
          <HeadCell>Name</HeadCell>
          <HeadCell>Locales</HeadCell>
          <HeadCell>Currency</HeadCell>
          <HeadCell>Allowed origins</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
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
      <Cell className="max-w-64 truncate" title={site.id}>
        <code className="text-meta">{site.id}</code>
      </Cell>
      <Cell className="max-w-64 truncate" title={site.name}>
        {site.name}
      </Cell>
      <Cell className="text-muted">{site.locales.join(", ") || "none"}</Cell>
      <Cell className="text-muted">{site.currency ?? "none"}</Cell>
      <Cell className="max-w-72 truncate text-muted" title={site.allowedOrigins.join(", ")}>
        {site.allowedOrigins.join(", ") || "none"}
      </Cell>
      <Cell className="text-right">
        <Button
          tone="quiet"
          size="small"
          aria-label={`Edit site ${site.id}`}
          onClick={() => onOpen({ what: "edit", site })}
        >
          Edit
        </Button>
        <Button
          tone="quiet"
          size="small"
          aria-label={`Delete site ${site.id}`}
          onClick={() => onOpen({ what: "delete", site })}
        >
          Delete
        </Button>
      </Cell>
    </Row>
  );
}
