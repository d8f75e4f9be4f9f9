import { roleNames } from "@/app/(portal)/portal-view";
import { countedAtMost, type TenantFacts } from "@/components/home/notice-lines";
import { type Caller, permissionScope } from "@/lib/access/caller";
import type { Alert } from "@/lib/features/alerts/contract";
import { listAlerts } from "@/lib/features/alerts/service";
import { listLeakedKeys, listManagedKeys } from "@/lib/features/api-keys/admin-list";
import { listAuditEvents } from "@/lib/features/audit/list";
import { listWebhooks } from "@/lib/features/destinations/webhooks/service";
import { listQuotas } from "@/lib/features/quotas/service";
import { requiredFrom } from "@/lib/features/sessions/accepted-methods";
import { listAccessRequests } from "@/lib/features/users/access-requests";
import { listUserPage } from "@/lib/features/users/list";
import { findMemberCandidate } from "@/lib/features/users/login-candidate";
import type { Permission } from "@/lib/protocol/permissions";

const fortnightSeconds = 14 * 86_400;
const recentChanges = 6;
const webhooksLookedAt = 100;

const mayInTenant = (caller: Caller, permission: Permission) =>
  permissionScope(caller, permission) === "tenant";

const unacknowledgedFirst = ({ state: a }: Alert, { state: b }: Alert) =>
  Number(a.acknowledgedAt !== null) - Number(b.acknowledgedAt !== null);

/** The deadline for a second factor, for a caller who signed in with only a password and has none. */
async function secondFactorDue(caller: Caller): Promise<string | undefined> {
  const { tenantId, authenticatedBy = "password" } = caller;
  if (authenticatedBy !== "password") return undefined;
  const person = await findMemberCandidate(tenantId, caller);
  if (!person || person.hasSecondFactor) return undefined;
  return (await requiredFrom(tenantId, person))?.toISOString();
}

/** What needs attention in the tenant, limited to what the caller's own pages would show. */
export async function factsFor(
  caller: Caller,
  requests = listAccessRequests(caller),
): Promise<TenantFacts> {
  const limit = countedAtMost;
  const managesKeys = mayInTenant(caller, "api-key.manage");
  const [due, leaked, firing, expiring, ofLocked, locked, webhooks, quotas, asked] =
    await Promise.all([
      secondFactorDue(caller),
      listLeakedKeys(caller),
      permissionScope(caller, "api-metric.read")
        ? listAlerts(caller, { limit, status: "firing" })
        : undefined,
      managesKeys ? listManagedKeys(caller, { limit, expiresWithin: fortnightSeconds }) : undefined,
      managesKeys
        ? listManagedKeys(caller, { limit, status: "active", ownerLock: true })
        : undefined,
      mayInTenant(caller, "user.read")
        ? listUserPage(caller, { sort: "name", lock: true }, limit)
        : undefined,
      mayInTenant(caller, "webhook.manage")
        ? listWebhooks(caller, { limit: webhooksLookedAt })
        : undefined,
      mayInTenant(caller, "tenant.manage") ? listQuotas(caller.tenantId) : [],
      requests,
    ]);
  const names = roleNames();
  return {
    ...(due !== undefined && { secondFactorDue: due }),
    leaked: leaked.map(({ name, owner }) => ({ name, owner })),
    firing: (firing?.items ?? [])
      .toSorted(unacknowledgedFirst)
      .map(({ id, name }) => ({ id, name })),
    expiring: (expiring?.items ?? []).map(({ validTo }) => ({ validTo })),
    asked: asked
      .filter(({ user }) => user.id !== caller.userId)
      .map(({ user, role, createdAt }) => ({
        ...{ name: user.name, role: names[role] ?? role, createdAt },
      })),
    keysOfLocked: ofLocked?.items.length ?? 0,
    lockedUsers: locked?.items.length ?? 0,
    webhooks: (webhooks?.items ?? []).map(({ status, disabledReason, failingSince }) => ({
      ...{ status, disabledReason, failingSince },
    })),
    quotas,
  };
}

/** The newest entries of the audit trail; none for a caller who may not read it. */
export async function recentChangesFor(caller: Caller) {
  if (!mayInTenant(caller, "audit.read")) return [];
  return (await listAuditEvents(caller, { limit: recentChanges })).items;
}
