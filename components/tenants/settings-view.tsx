"use client";

import { useQuery } from "@tanstack/react-query";
import { ConnectionsCard } from "@/components/connections/connections-card";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Loaded } from "@/components/ui/loaded";
import { PageHeader } from "@/components/ui/page-header";
import { GeneralCard } from "./general-card";
import { tenantKeys } from "./query-keys";
import { QuotasTable } from "./quotas-table";
import { SecurityCard } from "./security-card";
import { SignInCard } from "./sign-in-card";
import { SitesCard } from "./sites-card";

/** What the tenant may have, and has. */
function QuotasCard() {
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

/** What an administrator sets for the whole tenant. */
export function SettingsView() {
  return (
    <>
      <PageHeader
        title={t("Settings")}
        lead={t("Name, sites, security policy and quotas of this tenant.")}
      />
      <div className="flex flex-col gap-6">
        <GeneralCard />
        <SitesCard />
        <ConnectionsCard />
        <SignInCard />
        <SecurityCard />
        <QuotasCard />
      </div>
    </>
  );
}
