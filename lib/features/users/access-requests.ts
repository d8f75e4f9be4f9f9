import type { z } from "zod";
import { lockTenant, withAccessChange } from "@/lib/access/access-versions";
import { type Caller, permissionScope, rolesAtSite, siteOfScope } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { actingAs, record, recordEntry } from "@/lib/features/audit/service";
import { queueAccessRequestMails } from "@/lib/features/mail/queue";
import { ApiError, invalid, isRejection } from "@/lib/protocol/errors";
import {
  type AskedRow,
  countOpen,
  deleteAccessRequest,
  findAccessRequest,
  findOpenWish,
  selectAccessRequests,
  selectAllOf,
  selectLikelyDeciders,
  setDecision,
  upsertAccessRequest,
} from "./access-request-rows";
import type {
  AccessRequest,
  decideAccessRequest as declared,
  NewAccessRequest,
} from "./access-requests-contract";
import { assertMayUse } from "./account-access";
import { auditTarget, findTargetById, type Target } from "./find-target";
import { cellOf, endsOf } from "./role-ends";
import { addedRoles, rolesOfPlaces, sortedRoles } from "./role-policy";
import { findHeldRoles } from "./role-rows";
import { changeRoles } from "./roles";
import type { UserKey } from "./rows";
import { rolesAt } from "./user-policy";

/*
 * Access requests of users. A request is for a role at a place; callers who may set that role for that user, by the rules of
 * `accountWays`, see and decide it. Other reasons that close a request are checked when it is read, so it need not be closed explicitly.
 */

const maxOwn = 10;
const maxOfTenant = 1000;

type Asked = { request: AskedRow["request"]; user: Pick<AskedRow["user"], "login" | "name"> };

const toRequest = ({ request, user: { login, name } }: Asked): AccessRequest => ({
  id: request.requestId,
  user: { id: request.userId, login, name },
  role: request.roleId,
  site: request.siteId || null,
  reason: request.reason,
  state: request.state,
  createdAt: request.createdAt.toISOString(),
  decidedAt: request.decidedAt?.toISOString() ?? null,
});

type Wish = Pick<AskedRow["request"], "siteId" | "roleId">;

/** Whether the roles already include the requested one: at its place, or in the whole tenant. */
const isFulfilled = (roles: Target["roles"], { siteId, roleId }: Wish) =>
  roles.roleIds.includes(roleId) || rolesAt(roles, siteId).includes(roleId);

/** The roles with the requested one. */
function withWish(roles: Target["roles"], { siteId: place, roleId }: Wish): Target["roles"] {
  const none = { roleIds: [], sites: {} };
  const held = addedRoles(none, roles);
  return sortedRoles(rolesOfPlaces([...held, { place, roleId }]));
}

/** Whether the request only needs a decision: the user may sign in, and does not have the role yet. */
function isWaiting(target: Target, wish: Wish): boolean {
  const mayComeIn =
    target.state === "active" && !target.erasedAt && !isLockedAt(target, new Date());
  return mayComeIn && !isFulfilled(target.roles, wish);
}

/** The caller at the place of the role, where the permissions of a site's manager apply. */
const callerAt = (caller: Caller, { siteId }: Wish): Caller =>
  siteId === "" || !caller.siteIds.has(siteId) ? caller : { ...caller, siteId };

/** Whether the caller may set the role of the user, by the same rules as the operation. */
async function mayDecide(
  on: Executor,
  asker: Caller,
  target: Target,
  wish: Wish,
): Promise<boolean> {
  const caller = callerAt(asker, wish);
  if (target.userId === caller.userId || !permissionScope(caller, "user.manage")) return false;
  const site = siteOfScope(caller, "user.manage");
  if (site !== undefined && !rolesAtSite(target.roles, site)) return false;
  const after = withWish(target.roles, wish);
  try {
    await assertMayUse("roles", { tx: on, caller, target, after });
    return true;
  } catch (error) {
    if (isRejection(error)) return false;
    throw error;
  }
}

/** Whether an open request still needs a decision that the caller may make now. */
export async function mayDecideNow(caller: Caller, { request }: AskedRow): Promise<boolean> {
  const target = await findTargetById(db(), caller.tenantId, request.userId);
  if (!target || !isWaiting(target, request)) return false;
  return mayDecide(db(), caller, target, request);
}

/** The caller's requests, then those of others that the caller may decide now; oldest first. Read by one statement. */
export async function listAccessRequests(caller: Caller): Promise<AccessRequest[]> {
  const rows = await selectAccessRequests(caller);
  const listed: AccessRequest[] = [];
  for (const row of rows) {
    const { request, user } = row;
    const isOwn = request.userId === caller.userId;
    // Most users may decide nothing: this skips the checks for them.
    if (!isOwn && !permissionScope(callerAt(caller, request), "user.manage")) continue;
    const target = { ...user, roles: parseGrants(user.grants) };
    if (request.state === "open" && !isWaiting(target, request)) continue;
    if (isOwn || (await mayDecide(db(), caller, target, request))) listed.push(toRequest(row));
  }
  return listed;
}

/** All requests of a user, for the data export. */
export const exportAccessRequests = async (person: UserKey) =>
  (await selectAllOf(person)).map(toRequest);

function assertWithinLimits({ own, all }: { own: number; all: number }): void {
  if (own < maxOwn && all < maxOfTenant) return;
  const limit = own < maxOwn ? maxOfTenant : maxOwn;
  throw new ApiError(
    "access-request.limit-reached",
    `${limit} requests for access are open. Wait until some are decided.`,
    String(limit),
  );
}

/** Asks for a role. Throws 400 for an unknown site, and 409 for a role that the caller has or for too many requests. */
export async function askForAccess(
  caller: Caller,
  { role, site, reason }: z.output<typeof NewAccessRequest>,
): Promise<AccessRequest> {
  const { tenantId, userId } = caller;
  const wish = { tenantId, userId, siteId: site ?? "", roleId: role };
  if (site !== undefined && !caller.siteIds.has(site))
    throw invalid(
      [{ pointer: "/site", detail: `The tenant has no site "${site}".` }],
      "site.unknown",
    );
  if (isFulfilled(caller.roles, wish))
    throw new ApiError("access-request.not-needed", "You have this role already.", role);
  return transactionFor(caller, async (tx) => {
    await lockTenant(tx, tenantId);
    const open = await findOpenWish(tx, wish);
    if (open) return toRequest(open);
    assertWithinLimits(await countOpen(tx, caller));
    const request = {
      ...{ ...wish, requestId: newId("ask"), reason, state: "open" as const },
      ...{ createdAt: new Date(), decidedAt: null },
    };
    await upsertAccessRequest(tx, request);
    const entry = await recordEntry(tx, actingAs(caller), {
      action: "user.access-asked",
      target: auditTarget(caller),
      changes: { role: { after: role }, site: { after: site ?? null } },
    });
    const to = await selectLikelyDeciders(tx, wish);
    if (entry)
      await queueAccessRequestMails(tx, tenantId, { entry, wish: [userId, wish.siteId, role], to });
    return toRequest({ request, user: { login: caller.login, name: caller.name } });
  });
}

/** Withdraws a request of the caller. Throws 404, and 409 if it was already decided. */
export async function withdrawAccessRequest(caller: Caller, id: string): Promise<void> {
  const { tenantId, userId } = caller;
  await transactionFor(caller, async (tx) => {
    await lockTenant(tx, tenantId);
    const row = await findAccessRequest(tx, tenantId, id);
    if (row?.request.userId !== userId)
      throw new ApiError("access-request.not-found", "You have no such request.");
    const { state, roleId, siteId } = row.request;
    if (state !== "open") throw decidedByOthers();
    await deleteAccessRequest(tx, row.request);
    await record(tx, actingAs(caller), {
      action: "user.access-withdrawn",
      target: auditTarget(caller),
      changes: { role: { before: roleId }, site: { before: siteId || null } },
    });
  });
}

const decidedByOthers = () =>
  new ApiError("access-request.decided", "Somebody else decided this request.");

/** The user and the request, for a caller who may decide it; throws 404 for others. */
async function findDecidable(tx: Transaction, caller: Caller, id: string) {
  const missing = () =>
    new ApiError("access-request.not-found", "There is no such request that you may decide.");
  const row = await findAccessRequest(tx, caller.tenantId, id);
  if (!row) throw missing();
  const target = await findTargetById(tx, caller.tenantId, row.request.userId);
  if (!target || !(await mayDecide(tx, caller, target, row.request))) throw missing();
  if (row.request.state !== "open" || isFulfilled(target.roles, row.request))
    throw decidedByOthers();
  if (!isWaiting(target, row.request)) throw missing();
  return { row, target };
}

async function grant(
  tx: Transaction,
  caller: Caller,
  { target, wish, expiresAt }: { target: Target; wish: Wish; expiresAt: Date | undefined },
): Promise<void> {
  const { userId, roles } = target;
  const held = await findHeldRoles(tx, { tenantId: caller.tenantId, userId });
  const before = { roles: sortedRoles(roles), ends: endsOf(held) };
  const ends = new Map(before.ends);
  if (expiresAt) ends.set(cellOf(wish), expiresAt);
  const after = { roles: withWish(roles, wish), ends };
  await changeRoles(tx, { caller: callerAt(caller, wish), target, held, before, after });
}

/** Decides a request: a granted role takes effect on every node within a second. Throws 404, and 409 if it was already decided. */
export async function decideAccessRequest(
  caller: Caller,
  id: string,
  { decision, expiresAt }: z.output<NonNullable<typeof declared.body>>,
): Promise<AccessRequest> {
  if (expiresAt && expiresAt <= new Date())
    throw invalid([{ pointer: "/expiresAt", detail: "/expiresAt must be in the future." }]);
  return withAccessChange(caller, async (tx) => {
    const { row, target } = await findDecidable(tx, caller, id);
    const { roleId, siteId } = row.request;
    if (decision === "grant") await grant(tx, caller, { target, wish: row.request, expiresAt });
    else
      await record(tx, actingAs(caller), {
        action: "user.access-declined",
        target: auditTarget(target),
        changes: { role: { after: roleId }, site: { after: siteId || null } },
      });
    const state = decision === "grant" ? ("granted" as const) : ("declined" as const);
    const decided = { state, decidedAt: new Date() };
    await setDecision(tx, row.request, decided);
    return toRequest({ ...row, request: { ...row.request, ...decided } });
  });
}
