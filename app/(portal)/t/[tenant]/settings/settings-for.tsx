import type { QueryKey } from "@tanstack/react-query";
import { cardAnswer } from "@/app/(portal)/first-page";
import { connectionKeys } from "@/components/connections/query-keys";
import { Seeds } from "@/components/shell/seed";
import { tenantKeys } from "@/components/tenants/query-keys";
import { SettingsView } from "@/components/tenants/settings-view";
import type { Caller } from "@/lib/access/caller";
import * as connections from "@/lib/features/connections/contract";
import { getSignInSafety } from "@/lib/features/connections/enforcement";
import * as enforcement from "@/lib/features/connections/identity-contract";
import { listConnections } from "@/lib/features/connections/service";
import * as quotas from "@/lib/features/quotas/contract";
import { listQuotas } from "@/lib/features/quotas/service";
import * as tenants from "@/lib/features/tenants/contract";
import { getSecurityPolicy } from "@/lib/features/tenants/policy";
import * as policy from "@/lib/features/tenants/policy-contract";
import { listSites } from "@/lib/features/tenants/sites";
import * as sites from "@/lib/features/tenants/sites-contract";
import { findTenant } from "@/lib/features/tenants/tenants";
import {
  listEmergencyAdministrators,
  listWithoutSecondFactor,
} from "@/lib/features/users/emergency-administrators";
import * as emergency from "@/lib/features/users/emergency-contract";
import * as factors from "@/lib/features/users/emergency-contract";

const seed = async (key: QueryKey, data: Promise<unknown>) => [key, await data] as const;

/** The emergency administrators, and how safe they are: one query, so that the card has both or neither. */
async function emergencyOf(caller: Caller) {
  const [administrators, safety] = await Promise.all([
    cardAnswer(emergency.listEmergencyAdministrators, listEmergencyAdministrators(caller)),
    cardAnswer(enforcement.getSignInSafety, getSignInSafety(caller)),
  ]);
  return administrators === undefined || safety === undefined
    ? undefined
    : { administrators, safety };
}

const itemsOf = async <Item,>(page: Promise<{ items: Item }>) => (await page).items;

/** The settings of the caller's tenant with the initial data of each card. */
export async function settingsFor(caller: Caller) {
  const { tenantId } = caller;
  const shops = itemsOf(listSites(caller, { limit: 200 }));
  const people = itemsOf(listWithoutSecondFactor(caller, { limit: 50 }));
  const entries = await Promise.all([
    seed(tenantKeys.own(tenantId), cardAnswer(tenants.getTenant, findTenant(tenantId))),
    seed(tenantKeys.sites(tenantId), cardAnswer(sites.listSites, shops)),
    seed(
      connectionKeys.all(tenantId),
      cardAnswer(connections.listConnections, listConnections(caller)),
    ),
    seed(
      tenantKeys.securityPolicy(tenantId),
      cardAnswer(policy.getSecurityPolicy, getSecurityPolicy(caller)),
    ),
    seed(tenantKeys.quotas(tenantId), cardAnswer(quotas.listQuotas, listQuotas(tenantId))),
    seed(tenantKeys.emergencyAdministrators(tenantId), emergencyOf(caller)),
    seed(
      tenantKeys.withoutSecondFactor(tenantId),
      cardAnswer(factors.listWithoutSecondFactor, people),
    ),
  ]);
  return (
    <Seeds entries={entries}>
      <SettingsView />
    </Seeds>
  );
}
