"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { ConnectionsCard } from "@/components/connections/connections-card";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { FoldedCard } from "@/components/ui/folded-card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { PageHeader } from "@/components/ui/page-header";
import { GeneralCard } from "./general-card";
import { tenantKeys } from "./query-keys";
import { NearestEnd, QuotasTable } from "./quotas-table";
import { SecurityCard } from "./security-card";
import { SignInPolicyForm } from "./sign-in-policy-form";
import { SitesCard } from "./sites-card";

const EmergencyAdministrators = lazyPart(
  () => import("./emergency-administrators").then((module) => module.EmergencyAdministrators),
  { kind: "panel", isRare: true },
);
const WithoutSecondFactor = lazyPart(
  () => import("./without-second-factor").then((module) => module.WithoutSecondFactor),
  { kind: "panel", isRare: true },
);

/** The sign-in policy of the tenant, and the emergency administrators. */
function SignInCard() {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: tenantKeys.securityPolicy(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/security-policy", { signal }),
  });
  return (
    <Card
      id="sign-in"
      title={t("Sign-in")}
      description={t("How people of this tenant have to sign in. Open sessions continue.")}
    >
      <Loaded found={found} failed={t("The policy could not be loaded")} skeleton="h-40">
        {(policy) => (
          <SignInPolicyForm
            key={JSON.stringify(policy)}
            policy={policy}
            onSaved={(saved) => queries.setQueryData(tenantKeys.securityPolicy(view.tenant), saved)}
          />
        )}
      </Loaded>
      <Suspense>
        <EmergencyAdministrators />
        <WithoutSecondFactor />
      </Suspense>
    </Card>
  );
}

/** The quotas of the tenant and their use. */
function QuotasCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.quotas(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/quotas", { signal }),
  });
  return (
    <FoldedCard
      id="quotas"
      title={t("Quotas")}
      description={t("Contact support for higher limits.")}
      note={<NearestEnd quotas={found.data ?? []} />}
      flush
    >
      <Loaded found={found} failed={t("The quotas could not be loaded")} skeleton="m-4 h-64" flush>
        {(quotas) => <QuotasTable quotas={quotas} />}
      </Loaded>
    </FoldedCard>
  );
}

/** The settings of the whole tenant. */
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
