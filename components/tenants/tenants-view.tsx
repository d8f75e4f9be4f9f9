"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Instant } from "@/components/ui/instant";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { Tenant } from "@/lib/features/tenants/contract";
import { NewTenantDialog } from "./new-tenant-dialog";
import { TenantQuotasDialog } from "./tenant-quotas-dialog";

/** Every tenant, for support. */
export function TenantsView() {
  const { view, exchange } = usePortal();
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<string>();
  const found = useInfiniteQuery({
    queryKey: [view.tenant, "tenants"],
    queryFn: async ({ pageParam, signal }) => {
      const { answer, next } = await exchange("GET /v1/tenants", {
        query: { limit: "50", ...(pageParam && { cursor: pageParam }) },
        signal,
      });
      return { tenants: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    meta: asViewCall({ operation: "GET /v1/tenants", needsSession: true }),
  });
  const tenants = found.data?.pages.flatMap((page) => page.tenants) ?? [];
  return (
    <>
      <PageHeader
        title="Tenants"
        lead="Every tenant of this installation, newest first."
        actions={
          <Button tone="primary" onClick={() => setAdding(true)}>
            Create tenant
          </Button>
        }
      />
      <div className="rounded-card border border-border bg-bg">
        {found.error ? (
          <div className="p-4">
            <CallFailed title="The tenants could not be read" error={found.error} />
          </div>
        ) : null}
        {found.isPending ? <Skeleton className="m-3 h-96" /> : null}
        {tenants.length > 0 ? <TenantsTable tenants={tenants} onQuotas={setOpened} /> : null}
        {found.hasNextPage ? (
          <div className="border-t border-border p-3 text-center">
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Show older tenants
            </Button>
          </div>
        ) : null}
      </div>
      {opened !== undefined ? (
        <TenantQuotasDialog tenant={opened} onClose={() => setOpened(undefined)} />
      ) : null}
      {isAdding ? (
        <NewTenantDialog onMade={() => void found.refetch()} onClose={() => setAdding(false)} />
      ) : null}
    </>
  );
}

interface TenantsTableProps {
  tenants: Tenant[];
  onQuotas: (tenant: string) => void;
}

function TenantsTable({ tenants, onQuotas }: TenantsTableProps) {
  return (
    <Table label="Tenants, newest first" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>Tenant</HeadCell>
          <HeadCell>Name</HeadCell>
          <HeadCell>Kind</HeadCell>
          <HeadCell>Created</HeadCell>
          <HeadCell>Quotas</HeadCell>
        </tr>
      </thead>
      <tbody>
        {tenants.map(({ id, name, kind, createdAt }) => (
          <Row key={id}>
            <Cell>
              <code className="text-meta">{id}</code>
            </Cell>
            <Cell className="max-w-80 truncate">{name}</Cell>
            <Cell>
              <Badge>{kind}</Badge>
            </Cell>
            <Cell className="text-muted">
              <Instant at={createdAt} />
            </Cell>
            <Cell>
              <Button tone="quiet" aria-label={`Quotas of ${id}`} onClick={() => onQuotas(id)}>
                Quotas
              </Button>
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
