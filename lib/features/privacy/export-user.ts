import { assertPermission, type Caller } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { readEntriesAbout } from "@/lib/features/audit/entries-about";
import { actingAs, record } from "@/lib/features/audit/service";
import type { User } from "@/lib/features/users/contract";
import { auditTarget, findTarget } from "@/lib/features/users/find-target";
import { findPreferences } from "@/lib/features/users/rows";
import { getOwnProfile, getUser } from "@/lib/features/users/service";
import { assertMayChange } from "@/lib/features/users/user-policy";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/responses";
import type { UserExportRecord } from "./contract";
import { partSize, personalData } from "./personal-data";

type Asking = Pick<Context, "format" | "responseHeaders"> & { caller: Caller };

/** An entry without personal data of others: only their ids, and the changes only if the entry is about the user. */
function withoutOthers(
  { actor, target, changes, ...entry }: AuditEvent,
  userId: string,
): AuditEvent {
  const isActor = actor.id === userId;
  const isTarget = target.id === userId;
  const { address, ...rest } = entry;
  return {
    ...rest,
    actor: isActor ? actor : { type: actor.type, id: actor.id },
    target: isTarget ? target : { type: target.type, id: target.id },
    changes: isTarget ? changes : {},
    ...(isActor && address !== undefined ? { address } : {}),
  };
}

/** The parts of an export, read while the response is sent. */
async function* parts(caller: Caller, user: User): AsyncGenerator<UserExportRecord[]> {
  const { tenantId } = caller;
  const { id: userId } = user;
  yield [
    { type: "profile", data: user },
    { type: "preferences", data: { ...(await findPreferences(tenantId, userId)) } },
  ];
  for (const { exported } of Object.values(personalData))
    if (exported) yield* exported({ tenantId, userId }, caller);
  const about = { tenantId, targetIds: [userId], actorId: userId, limit: partSize };
  for (let before: number | undefined; ; ) {
    const part = await readEntriesAbout({ ...about, ...(before !== undefined && { before }) });
    yield part.entries.map((entry) => ({ type: "audit", data: withoutOthers(entry, userId) }));
    if (part.before === undefined) return;
    before = part.before;
  }
}

function send(asking: Asking, user: User) {
  const list = parts(asking.caller, user);
  if (asking.format === "application/json") return list;
  return streamText(asking, list, { line: (one) => `${JSON.stringify(one)}\n` });
}

/** Exports the data that the tenant stores about the caller. */
export async function exportOwnUser(asking: Asking) {
  return send(asking, await getOwnProfile(asking.caller));
}

/** Exports a user's data, for callers who may manage users and read the audit trail. Recorded. Throws 403 and 404. */
export async function exportUser(asking: Asking, userId: string) {
  const { caller } = asking;
  assertPermission(caller, "audit.read", true);
  await transaction(async (tx) => {
    const target = await findTarget(tx, caller, userId, "user.manage");
    assertMayChange(caller, target);
    await record(tx, actingAs(caller), { action: "user.exported", target: auditTarget(target) });
  });
  return send(asking, await getUser(caller, userId));
}
