"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Card } from "@/components/ui/card";
import { Loaded } from "@/components/ui/loaded";
import { tenantKeys } from "./query-keys";
import { QuotasTable } from "./quotas-table";

/** What the tenant may have, and has. */
export function QuotasCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.quotas(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/quotas", { signal }),
  });
  return (
    <Card id="quotas" title="Quotas">
      <Loaded found={found} failed="The quotas could not be read" skeleton="h-64">
        {(quotas) => <QuotasTable quotas={quotas} />}
      </Loaded>
      <p className="mt-3 text-body text-muted">Support can set higher limits.</p>
    </Card>
  );
}
