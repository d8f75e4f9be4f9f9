"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { Site } from "@/lib/features/tenants/sites-contract";
import { SiteDialog } from "./site-dialog";

type Open = { what: "new" } | { what: "edit" | "delete"; site: Site };

export function SitesCard() {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const found = useQuery({
    queryKey: [view.tenant, "sites"],
    queryFn: ({ signal }) => call("GET /v1/tenant/sites", { query: { limit: "200" }, signal }),
  });
  const changed = () => queries.invalidateQueries({ queryKey: [view.tenant, "sites"] });
  const remove = async (site: Site) => {
    await call("DELETE /v1/tenant/sites/{id}", { params: { id: site.id } });
    await changed();
  };
  const close = () => setOpen(undefined);
  return (
    <Card
      id="sites"
      flush
      title="Sites"
      description="Shops of this tenant. Customers, preview configurations and site roles belong to one."
      actions={<Button onClick={() => setOpen({ what: "new" })}>Add site</Button>}
    >
      {found.error ? (
        <div className="p-4">
          <CallFailed title="The sites could not be read" error={found.error} />
        </div>
      ) : null}
      {found.isPending ? <Skeleton className="m-4 h-32" /> : null}
      {found.data?.length === 0 ? (
        <EmptyState title="No site yet" purpose="Customers and preview configurations need one." />
      ) : null}
      {found.data && found.data.length > 0 ? (
        <SitesTable sites={found.data} onOpen={setOpen} />
      ) : null}
      {open?.what === "new" ? (
        <SiteDialog site={undefined} onChanged={changed} onClose={close} />
      ) : null}
      {open?.what === "edit" ? (
        <SiteDialog site={open.site} onChanged={changed} onClose={close} />
      ) : null}
      {open?.what === "delete" ? (
        <ActionDialog
          title={`Delete the site ${open.site.id}`}
          description="Only a site that nothing belongs to can be deleted. Its id is free again afterwards."
          confirm="Delete site"
          danger
          failed="The site was not deleted"
          onConfirm={() => remove(open.site)}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

function SitesTable({ sites, onOpen }: { sites: Site[]; onOpen: (open: Open) => void }) {
  return (
    <Table label="Sites, newest first" className="[--row:44px]">
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
          <Row key={site.id}>
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
        ))}
      </tbody>
    </Table>
  );
}
