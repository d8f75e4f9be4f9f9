"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
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
    <Card
      id="quotas"
      title={t("Quotas")}
      description={t("Contact support for higher limits.")}
      flush
    >
      <Loaded found={found} failed={t("The quotas could not be loaded")} skeleton="m-4 h-64" flush>
        {(quotas) => <QuotasTable quotas={quotas} />}
      </Loaded>
    </Card>
  );
}
