"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { QuotasTable } from "./quotas-table";

/** What the tenant may have, and has. */
export function QuotasCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: [view.tenant, "quotas"],
    queryFn: ({ signal }) => call("GET /v1/tenant/quotas", { signal }),
  });
  return (
    <Card id="quotas" title="Quotas">
      {found.error ? <CallFailed title="The quotas could not be read" error={found.error} /> : null}
      {found.isPending ? <Skeleton className="h-64" /> : null}
      {found.data ? <QuotasTable quotas={found.data} /> : null}
      <p className="mt-3 text-body text-muted">Support can set higher limits.</p>
    </Card>
  );
}
