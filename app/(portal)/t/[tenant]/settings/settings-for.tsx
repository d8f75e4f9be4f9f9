import { answered } from "@/app/(portal)/first-page";
import { connectionKeys } from "@/components/connections/query-keys";
import { Seeds } from "@/components/shell/seed";
import { tenantKeys } from "@/components/tenants/query-keys";
import { SettingsView } from "@/components/tenants/settings-view";
import type { Caller } from "@/lib/access/caller";
import * as connections from "@/lib/features/connections/contract";
import { getSignInSafety } from "@/lib/features/connections/enforcement";
import * as enforcement from "@/lib/features/connections/enforcement-contract";
import { listConnections } from "@/lib/features/connections/service";
import * as quotas from "@/lib/features/quotas/contract";
import { listQuotas } from "@/lib/features/quotas/service";
import * as tenants from "@/lib/features/tenants/contract";
import { getSecurityPolicy } from "@/lib/features/tenants/policy";
import * as policy from "@/lib/features/tenants/policy-contract";
import { listSites } from "@/lib/features/tenants/sites";
import * as sites from "@/lib/features/tenants/sites-contract";
import { findTenant } from "@/lib/features/tenants/tenants";
import { listEmergencyAdministrators } from "@/lib/features/users/emergency-administrators";
import * as emergency from "@/lib/features/users/emergency-contract";
import { listWithoutSecondFactor } from "@/lib/features/users/without-second-factor";
import * as factors from "@/lib/features/users/without-second-factor-contract";

/** What the card of the sign-in says, as it asks for it again. */
async function signInOf(caller: Caller) {
  const [administrators, safety, people] = await Promise.all([
    listEmergencyAdministrators(caller),
    getSignInSafety(caller),
    listWithoutSecondFactor(caller, { limit: 50 }),
  ]);
  return {
    emergency: {
      administrators: answered(emergency.listEmergencyAdministrators, administrators),
      safety: answered(enforcement.getSignInSafety, safety),
    },
    people: answered(factors.listWithoutSecondFactor, people.items),
  };
}

/** The settings of the caller's tenant with what each card shows first. */
export async function settingsFor(caller: Caller) {
  const { tenantId } = caller;
  const [tenant, shops, providers, rules, limits, signIn] = await Promise.all([
    findTenant(tenantId),
    listSites(caller, { limit: 200 }),
    listConnections(caller),
    getSecurityPolicy(caller),
    listQuotas(tenantId),
    signInOf(caller),
  ]);
  return (
    <Seeds
      entries={[
        [tenantKeys.own(tenantId), answered(tenants.getTenant, tenant)],
        [tenantKeys.sites(tenantId), answered(sites.listSites, shops.items)],
        [connectionKeys.all(tenantId), answered(connections.listConnections, providers)],
        [tenantKeys.securityPolicy(tenantId), answered(policy.getSecurityPolicy, rules)],
        [tenantKeys.quotas(tenantId), answered(quotas.listQuotas, limits)],
        [tenantKeys.emergencyAdministrators(tenantId), signIn.emergency],
        [tenantKeys.withoutSecondFactor(tenantId), signIn.people],
      ]}
    >
      <SettingsView />
    </Seeds>
  );
}
