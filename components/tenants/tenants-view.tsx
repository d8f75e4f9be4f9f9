"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Instant } from "@/components/ui/instant";
import { PageHeader } from "@/components/ui/page-header";
import { DataTable } from "@/components/ui/table/data-table";
import { ListResult } from "@/components/ui/table/list-result";
import { Cell, Row } from "@/components/ui/table/table";
import type { Tenant } from "@/lib/features/tenants/contract";
import { NewTenantDialog } from "./new-tenant-dialog";
import { tenantKeys } from "./query-keys";
import { tenantKinds } from "./tenant-kinds";
import { TenantQuotasDialog } from "./tenant-quotas-dialog";

/** Every tenant, for support. */
export function TenantsView() {
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<string>();
  const found = useTenants();
  return (
    <>
      <PageHeader
        title={t("Tenants")}
        wide
        lead={t("Every tenant of this installation, newest first.")}
        actions={
          <Button tone="primary" onClick={() => setAdding(true)}>
            {t("Create tenant")}
          </Button>
        }
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          found={found}
          failed={t("The tenants could not be loaded")}
          more={t("Show older tenants")}
          empty={null}
        >
          {(tenants) => <TenantsTable tenants={tenants} onQuotas={setOpened} />}
        </ListResult>
      </div>
      {opened !== undefined ? (
        <TenantQuotasDialog tenant={opened} onClose={() => setOpened(undefined)} />
      ) : null}
      {isAdding ? (
        <NewTenantDialog onCreated={() => void found.refetch()} onClose={() => setAdding(false)} />
      ) : null}
    </>
  );
}

function useTenants() {
  const { view, exchange } = usePortal();
  return useInfiniteQuery({
    queryKey: tenantKeys.list(view.tenant),
    queryFn: async ({ pageParam, signal }) => {
      const { answer, next } = await exchange("GET /v1/tenants", {
        query: { limit: "50", ...(pageParam && { cursor: pageParam }) },
        signal,
      });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    meta: asViewCall({ operation: "GET /v1/tenants", needsSession: true }),
  });
}

interface TenantsTableProps {
  tenants: Tenant[];
  onQuotas: (tenant: string) => void;
}

function TenantsTable({ tenants, onQuotas }: TenantsTableProps) {
  return (
    <DataTable
      label={t("Tenants, newest first")}
      className="[--row:36px]"
      name="tenants"
      heads={[t("Tenant"), t("Name"), t("Kind"), t("Created"), t("Quotas")]}
    >
      <tbody>
        {tenants.map(({ id, name, kind, createdAt }) => (
          <Row key={id}>
            <Cell>
              <code className="text-meta">{id}</code>
            </Cell>
            <Cell className="max-w-80 truncate">{name}</Cell>
            <Cell card="end">
              <Badge>{t(tenantKinds[kind])}</Badge>
            </Cell>
            <Cell className="text-muted">
              <Instant at={createdAt} />
            </Cell>
            <Cell card="act">
              <Button
                tone="quiet"
                aria-label={t("Quotas of {id}", { id })}
                onClick={() => onQuotas(id)}
              >
                {t("Quotas")}
              </Button>
            </Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
