import type { z } from "zod";
import { type Caller, peopleBehind } from "@/lib/access/caller";
import { maxApiKeyDays } from "@/lib/access/lifetimes";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { securityPolicy } from "@/lib/features/tenants/policy";
import { assertMayUse } from "@/lib/features/users/account-access";
import { withUserForUpdate } from "@/lib/features/users/user-policy";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import type { NewApiKey } from "./contract";
import { insertKeyRow, revokeExpiredNamesake } from "./rows";
import { settingChanges, settingColumns } from "./settings";

type New = z.output<typeof NewApiKey>;

export const nameTaken = (name: string, who = "You already have") =>
  new ApiError("api-key.name-taken", `${who} a key named "${name}".`, "/name");

/** Throws 400 for an expiry in the past or too far in the future. */
export async function assertValidTo(tenantId: string, validTo: Date): Promise<void> {
  const days = (await securityPolicy(tenantId)).longestApiKeyDays ?? maxApiKeyDays;
  const now = Date.now();
  const invalidEnd = (detail: string) => invalid([{ pointer: "/validTo", detail }]);
  if (validTo.getTime() <= now) throw invalidEnd("/validTo must be in the future.");
  if (validTo.getTime() > now + days * 86_400_000)
    throw invalidEnd(`/validTo must be at most ${days} days ahead.`);
}

function assertKeySitesExist(caller: Caller, sites: string[] | undefined): void {
  const problems = (sites ?? []).flatMap((siteId, index) =>
    caller.siteIds.has(siteId)
      ? []
      : [{ pointer: `/sites/${index}`, detail: `The tenant has no site "${siteId}".` }],
  );
  if (problems.length > 0) throw invalid(problems, "site.unknown");
}

/** The changes in the audit entry of a new key; `owner` is set if it is not the caller. */
const changesOf = (given: New, owner: string | undefined) => ({
  name: { after: given.name },
  validTo: { after: given.validTo.toISOString() },
  ...(owner !== undefined && { owner: { after: owner } }),
  ...(given.permissions && { permissions: { after: given.permissions } }),
  ...(given.sites && { sites: { after: given.sites } }),
  ...settingChanges(given),
});

async function insertKey(tx: Transaction, caller: Caller, userId: string, given: New) {
  const { tenantId } = caller;
  const { name, validTo, permissions, sites } = given;
  const secret = newApiKey();
  const apiKeyId = newId("key");
  const keyRestrictions = { ...(permissions && { permissions }), ...(sites && { siteIds: sites }) };
  const nameKey = labelKey(name);
  const row = {
    tenantId,
    apiKeyId,
    userId,
    name,
    nameKey,
    secretHash: sha256(secret),
    hint: secret.slice(-4),
    createdAt: new Date(),
    validTo,
    knownTo: userId === caller.userId ? null : peopleBehind(caller),
    ...keyRestrictions,
    ...settingColumns(given),
  };
  const isInserted =
    (await insertKeyRow(tx, row)) ||
    ((await revokeExpiredNamesake(tx, caller, { userId, nameKey })) &&
      (await insertKeyRow(tx, row)));
  if (!isInserted)
    throw nameTaken(name, userId === caller.userId ? undefined : "The user already has");
  const isOwn = userId === caller.userId;
  await record(tx, actingAs(caller), {
    action: "api-key.created",
    target: { type: "api-key", id: apiKeyId, name },
    changes: changesOf(given, isOwn ? undefined : userId),
  });
  await assertQuota(tx, tenantId, "user-keys", userId);
  return { apiKey: secret, apiKeyId, validTo: validTo.toISOString() };
}

/** Only the hash is stored: no later response can return the key. Throws 409 for a name in use. */
export async function createApiKey(caller: Caller, given: New) {
  assertKeySitesExist(caller, given.sites);
  await assertValidTo(caller.tenantId, given.validTo);
  return transactionFor(caller, (tx) => insertKey(tx, caller, caller.userId, given));
}

/** Creates a key for a service user; the caller needs all rights of the service user. Throws 409 if the user is a person. */
export async function createServiceKey(caller: Caller, userId: string, given: New) {
  assertKeySitesExist(caller, given.sites);
  await assertValidTo(caller.tenantId, given.validTo);
  return withUserForUpdate(caller, userId, "api-key.manage", async (tx, target) => {
    await assertMayUse("service-key", { tx, caller, target });
    return insertKey(tx, caller, userId, given);
  });
}
