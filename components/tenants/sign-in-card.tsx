"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { tenantKeys } from "./query-keys";
import { SignInPolicyForm } from "./sign-in-policy-form";

const EmergencyAdministrators = lazyPart(
  () => import("./emergency-administrators").then((module) => module.EmergencyAdministrators),
  { kind: "panel", isRare: true },
);
const WithoutSecondFactor = lazyPart(
  () => import("./without-second-factor").then((module) => module.WithoutSecondFactor),
  { kind: "panel", isRare: true },
);

/** How the people of the tenant have to sign in, and what keeps them from being locked out. */
export function SignInCard() {
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
