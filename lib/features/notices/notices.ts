import { and, eq, lt } from "drizzle-orm";
import { networkAt } from "@/lib/access/address-ranges";
import type { Caller } from "@/lib/access/caller";
import { db, type Transaction, transaction } from "@/lib/database/open";
import type { noticeActions } from "@/lib/database/schema/audit";
import { noticeDismissals } from "@/lib/database/schema/schema";
import { latestKeysOf } from "@/lib/features/api-keys/rows";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { readEntriesAbout } from "@/lib/features/audit/entries-about";
import { ApiError } from "@/lib/protocol/errors";
import type { Notice, NoticeKind } from "./contract";

/** The number of latest sign-ins that are compared. */
const maxSignIns = 200;

/**
 * Sign-ins since an instant from a network without earlier sign-ins. The oldest known sign-in counts as expected, so that
 * a new account starts without a notice.
 */
async function newNetworks(tenantId: string, userId: string, since: Date): Promise<AuditEvent[]> {
  const { entries } = await readEntriesAbout({
    tenantId,
    actorId: userId,
    only: "signIns",
    limit: maxSignIns,
  });
  const seen = new Set<string>();
  const found: AuditEvent[] = [];
  for (const entry of entries.toReversed()) {
    const network = networkAt(entry.address ?? "", "network") ?? "";
    const isFirst = seen.size === 0;
    if (!isFirst && !seen.has(network) && entry.occurredAt >= since.toISOString())
      found.push(entry);
    seen.add(network);
  }
  return found;
}

/**
 * Notices are not stored: they are read from the audit trail, whose entries are written in the transaction of the change.
 * Only dismissals are stored.
 */
const keptMs = 30 * 86_400_000;
const maxNotices = 50;
/** Latest audit entries to read: more than are shown, so that up to 150 own actions hide none of others. */
const maxEntries = 200;

const kinds: Record<(typeof noticeActions)[number], NoticeKind> = {
  "user.password-changed": "password-changed",
  "user.password-reset": "password-reset",
  "user.password-reset-confirmed": "password-reset",
  "user.password-link-made": "password-link-created",
  "user.updated": "profile-changed",
  "user.roles-changed": "roles-changed",
  "user.locked": "locked",
  "user.unlocked": "unlocked",
  "user.deactivated": "deactivated",
  "user.reactivated": "reactivated",
  "user.sessions-ended": "sessions-ended",
  "api-key.created": "api-key-created",
  "api-key.updated": "api-key-changed",
  "api-key.rotated": "api-key-changed",
  "api-key.handed-over": "api-key-changed",
  "api-key.resumed": "api-key-changed",
  "api-key.revoked": "api-key-changed",
  "api-key.suspended": "api-key-suspended",
  "api-key.leak-reported": "api-key-leaked",
  "api-key.hand-off-created": "api-key-link-created",
  "api-key.hand-off-opened": "api-key-link-opened",
  "user.second-factor-added": "second-factor-added",
  "user.second-factor-removed": "second-factor-removed",
  "user.second-factors-reset": "second-factors-reset",
  "user.recovery-codes-created": "recovery-codes-created",
  "user.recovery-code-used": "recovery-code-used",
  "user.passkey-count-fell": "passkey-count-fell",
  "user.identity-linked": "identity-linked",
  "tenant.emergency-sign-in": "emergency-sign-in",
};

/** The kind of notice for an action; undefined for actions without one. */
export const noticeKindOf = (action: string): NoticeKind | undefined =>
  Object.hasOwn(kinds, action) ? kinds[action as keyof typeof kinds] : undefined;

function noticeOf({ userId }: Caller, entry: AuditEvent, kind: NoticeKind): Notice {
  const { id, occurredAt, action, actor, target, changes, address } = entry;
  const { type, login } = actor;
  const byOneself = actor.id === userId;
  return {
    id,
    occurredAt,
    kind,
    action,
    byOneself,
    by: { type, id: actor.id, ...(login === undefined ? {} : { login }) },
    ...(target.type === "api-key" && target.name !== undefined ? { subject: target.name } : {}),
    fields: Object.keys(changes),
    // A user must not see the IP addresses of colleagues.
    ...(address === undefined || !byOneself ? {} : { address }),
  };
}

async function allNotices(caller: Caller): Promise<Notice[]> {
  const { tenantId, userId } = caller;
  const since = new Date(Date.now() - keptMs);
  const keys = await latestKeysOf({ tenantId, userId });
  const ofTenant = caller.roles.roleIds.includes("tenant.admin") ? [tenantId] : [];
  const targetIds = [userId, ...keys.map(({ apiKeyId }) => apiKeyId), ...ofTenant];
  const [changes, networks] = await Promise.all([
    readEntriesAbout({
      tenantId,
      targetIds,
      only: "notices",
      limit: maxEntries,
    }),
    newNetworks(tenantId, userId, since),
  ]);
  const notices = changes.entries.flatMap((entry) => {
    const kind = noticeKindOf(entry.action);
    const isRecent = entry.occurredAt >= since.toISOString();
    return kind && isRecent ? [noticeOf(caller, entry, kind)] : [];
  });
  const all = [...notices, ...networks.map((entry) => noticeOf(caller, entry, "new-network"))];
  const newest = all.sort((a, b) => (a.id < b.id ? 1 : -1));
  const some = (byOneself: boolean) =>
    newest.filter((notice) => notice.byOneself === byOneself).slice(0, maxNotices);
  const shown = new Set([...some(true), ...some(false)]);
  return newest.filter((notice) => shown.has(notice));
}

const mine = ({ tenantId, userId }: Caller) =>
  and(eq(noticeDismissals.tenantId, tenantId), eq(noticeDismissals.userId, userId));

/** Events of the caller's account in the last 30 days, newest first: at most 50 by the caller and 50 by others. */
export async function listNotices(caller: Caller): Promise<Notice[]> {
  const [notices, dismissed] = await Promise.all([
    allNotices(caller),
    db().select({ id: noticeDismissals.noticeId }).from(noticeDismissals).where(mine(caller)),
  ]);
  const hidden = new Set(dismissed.map(({ id }) => id));
  return notices.filter(({ id }) => !hidden.has(id));
}

/** Dismisses a notice of the caller; idempotent. Older dismissals are forgotten. Throws 404. */
export async function dismissNotice(caller: Caller, noticeId: string): Promise<void> {
  if (!(await allNotices(caller)).some(({ id }) => id === noticeId))
    throw new ApiError(
      "notice.not-found",
      "You have no such notice. It may be older than 30 days.",
    );
  const { tenantId, userId } = caller;
  const row = { tenantId, userId, noticeId, dismissedAt: new Date() };
  await transaction(async (tx: Transaction) => {
    const outdated = lt(noticeDismissals.dismissedAt, new Date(Date.now() - keptMs));
    await tx.delete(noticeDismissals).where(and(mine(caller), outdated));
    const key = [noticeDismissals.tenantId, noticeDismissals.userId, noticeDismissals.noticeId];
    await tx.insert(noticeDismissals).values(row).onConflictDoNothing({ target: key });
  });
}
