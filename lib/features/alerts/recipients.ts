import { permissionScope } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import { db } from "@/lib/database/open";
import type { Recipient } from "@/lib/features/mail/worker";
import { findUserRow, type UserRow } from "@/lib/features/users/rows";
import { invalid, type Problem } from "@/lib/protocol/errors";
import type { AlertRow } from "./rows";

/** Whose calls a rule is about. */
type Scope = Pick<AlertRow, "tenantId" | "siteId">;

/** The person, where the person is active and may see the rule now; undefined otherwise. */
export async function findRecipient(
  { tenantId, siteId }: Scope,
  userId: string,
): Promise<(Recipient & { row: UserRow }) | undefined> {
  const found = await describeCredential(tenantId, { userId });
  if (!found || found.deactivated || found.principal.isServiceUser) return undefined;
  const now = new Date();
  if (found.locks.some((lock) => isLockedAt(lock, now))) return undefined;
  const holder = { roles: found.principal.roles, siteId: siteId ?? undefined };
  if (permissionScope({ ...holder, keyRestrictions: undefined }, "api-metric.read") === undefined)
    return undefined;
  const row = await findUserRow(db(), { tenantId, userId });
  if (row?.state !== "active" || row.erasedAt !== null) return undefined;
  return { userId, address: row.emailAddress, language: row.preferences.language, row };
}

/** Those whom a rule named `before` may have lost the right since: they get nothing, and stay no reason against a change. Throws 400. */
export async function assertRecipients(
  scope: Scope,
  userIds: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const problems: Problem[] = [];
  for (const [index, userId] of userIds.entries()) {
    if (before.includes(userId)) continue;
    if (await findRecipient(scope, userId)) continue;
    const pointer = `/mailTo/${index}`;
    const detail = `${pointer} must be the id of an active person who may read these calls.`;
    problems.push({ pointer, detail });
  }
  if (problems.length > 0) throw invalid(problems);
}
