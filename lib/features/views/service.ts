import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { permissionsOf } from "@/lib/access/roles";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";
import { readAddress, unreadable } from "./addresses";
import {
  type NewSavedView,
  onlyCharts,
  problemOf,
  type SavedView,
  type SavedViewChange,
} from "./contract";
import {
  clearDefault,
  clearDefaultsOfOthers,
  countViews,
  deleteViewRow,
  insertView,
  notFound,
  selectDefaults,
  selectDefaultView,
  selectViews,
  setDefault,
  setView,
  type ViewRow,
} from "./rows";
import {
  chartPage,
  maxHomeCharts,
  maxOwnViews,
  maxSharedViews,
  type ViewPage,
  viewPages,
} from "./values";

/** The permission for each page: a shared view is hidden from users who may not open its page. */
const permissionOf: Record<ViewPage, Permission> = {
  users: "user.read",
  customers: "customer.manage",
  requests: "audit.read",
  audit: "audit.read",
  keys: "api-key.manage",
  alerts: "api-metric.read",
  deliveries: "webhook.manage",
  metrics: "api-metric.read",
};

/** The pages that the caller may open by a role in the tenant or at a site. */
function openPages({ roles }: Caller): ViewPage[] {
  const atSites = Object.values(roles.sites).flatMap(({ roleIds }) => roleIds);
  const held = [...roles.roleIds, ...atSites].map((id) => permissionsOf(id));
  return viewPages.filter((page) => held.some((one) => one.has(permissionOf[page])));
}

const isVisible = (caller: Caller, { userId, isShared, page }: ViewRow) =>
  userId === caller.userId || (isShared && openPages(caller).some((one) => one === page));

/** The valid part of a stored query: older views were stored without validation. */
function readQuery({ query }: ViewRow): string {
  const given = new URLSearchParams(query);
  return unreadable(given).length === 0 ? query : readAddress(given).toString();
}

export const toView = (row: ViewRow, isDefault: boolean): SavedView => ({
  id: row.viewId,
  page: row.page as ViewPage,
  name: row.name,
  query: readQuery(row),
  shared: row.isShared,
  default: isDefault,
  home: row.isOnHome,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The caller's views and the shared ones of the pages that the caller may open, by name. */
export async function listViews(
  caller: Caller,
  { page }: { page?: ViewPage | undefined },
): Promise<SavedView[]> {
  const [rows, defaults] = await Promise.all([
    selectViews(caller, openPages(caller)),
    selectDefaults(caller),
  ]);
  return rows
    .filter((row) => page === undefined || row.page === page)
    .map((row) => toView(row, defaults.has(row.viewId)))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The query of the caller's default view of a page; undefined without one. */
export async function findDefaultQuery(
  caller: Caller,
  page: ViewPage,
): Promise<string | undefined> {
  const row = await selectDefaultView(caller, page);
  return row && isVisible(caller, row) ? readQuery(row) : undefined;
}

interface Noted {
  action: "view.created" | "view.updated" | "view.deleted";
  row: ViewRow;
  changes: AuditChanges;
}

/** Name and query are not in the audit trail: they are a user's words, and erasing the user deletes them. */
const note = (tx: Transaction, caller: Caller, { action, row, changes }: Noted) =>
  record(tx, actingAs(caller), {
    action,
    target: { type: "view", id: row.viewId },
    changes,
  });

/** Throws 409. The transaction has written its audit entry, whose lock prevents other transactions of the tenant from adding a view. */
async function assertRoom(tx: Transaction, caller: Caller): Promise<void> {
  const { own, shared } = await countViews(tx, caller);
  const limitReached = (detail: string, reason: string) =>
    new ApiError("view.limit-reached", `${detail} Delete some first.`, reason);
  if (own.all > maxOwnViews)
    throw limitReached(`A person has at most ${maxOwnViews} saved views.`, "own");
  if (shared.all > maxSharedViews)
    throw limitReached(`A tenant has at most ${maxSharedViews} shared views.`, "shared");
  if (Math.max(own.onHome, shared.onHome) > maxHomeCharts)
    throw new ApiError(
      "view.limit-reached",
      `The home page has at most ${maxHomeCharts} charts of a person and ${maxHomeCharts} shared ones. Remove one first.`,
      "home",
    );
}

/** Saves a view. Throws 409 if there are too many. */
export async function createView(
  caller: Caller,
  given: z.output<typeof NewSavedView>,
): Promise<SavedView> {
  const { page, name, query, shared: isShared, default: isDefault, home: isOnHome } = given;
  const { tenantId, userId } = caller;
  const now = new Date();
  const ids = { tenantId, viewId: newId("view"), userId };
  const row = { ...ids, page, name, query, isShared, isOnHome, createdAt: now, updatedAt: now };
  return transactionFor(caller, async (tx) => {
    const changes = {
      page: { after: page },
      shared: { after: isShared },
      ...(isOnHome && { home: { after: true } }),
    };
    await note(tx, caller, { action: "view.created", row, changes });
    await insertView(tx, row);
    await assertRoom(tx, caller);
    if (isDefault) await setDefault(tx, caller, row);
    return toView(row, isDefault);
  });
}

const mayChange = (caller: Caller, { userId }: ViewRow) =>
  userId === caller.userId || caller.roles.roleIds.includes("tenant.admin");

/** Locks a view that the caller may see. Throws 404, and 403 for a change of another user's view. */
async function lockView(tx: Transaction, caller: Caller, viewId: string, isChange: boolean) {
  const row = await setView(tx, { tenantId: caller.tenantId, viewId }, {});
  if (!isVisible(caller, row)) throw notFound();
  if (isChange && !mayChange(caller, row))
    throw new ApiError(
      "view.of-other",
      "Only whoever made a shared view, or a tenant.admin, changes it. Save it as your own instead.",
      "tenant.admin",
    );
  return row;
}

interface Asking {
  caller: Caller;
  params: { id: string };
}

type Change = z.output<typeof SavedViewChange>;

/** Sets or removes the caller's default. */
async function changeDefault(tx: Transaction, caller: Caller, row: ViewRow, wanted?: boolean) {
  if (wanted === true) await setDefault(tx, caller, row);
  if (wanted === false) await clearDefault(tx, caller, row);
}

/** The changes of a view for the audit trail; of name and query only that they changed. */
function changesOf(before: ViewRow, after: ViewRow, isDefault: boolean | undefined): AuditChanges {
  return {
    ...(before.name !== after.name && { name: {} }),
    ...(before.query !== after.query && { query: {} }),
    ...(before.isShared !== after.isShared && {
      shared: { before: before.isShared, after: after.isShared },
    }),
    ...(before.isOnHome !== after.isOnHome && {
      home: { before: before.isOnHome, after: after.isOnHome },
    }),
    ...(isDefault !== undefined && { default: { after: isDefault } }),
  };
}

/** The view with the requested changes. Throws 400 if its page does not support them. */
function changed(before: ViewRow, given: Omit<Change, "default">): ViewRow {
  const { name = before.name, query = before.query } = given;
  const { shared: isShared = before.isShared, home: isOnHome = before.isOnHome } = given;
  const page = before.page as ViewPage;
  const problem = given.query && problemOf(page, given.query);
  if (problem) throw invalid([{ pointer: "/query", detail: `/query ${problem}.` }]);
  if (isOnHome && page !== chartPage)
    throw invalid([{ pointer: "/home", detail: `/home ${onlyCharts}.` }]);
  return { ...before, name, query, isShared, isOnHome };
}

/** Changes a view, and whether it is the caller's default. Throws 400, 403, 404 and 409. */
export async function updateView({
  caller,
  params: { id },
  body: { default: isDefault, ...given },
}: Asking & { body: Change }): Promise<SavedView> {
  const isChange = Object.keys(given).length > 0;
  return transaction(async (tx) => {
    const before = await lockView(tx, caller, id, isChange);
    const after = changed(before, given);
    const changes = changesOf(before, after, isDefault);
    if (Object.keys(changes).length > 0)
      await note(tx, caller, { action: "view.updated", row: after, changes });
    const { name, query, isShared, isOnHome } = after;
    const row = isChange
      ? await setView(tx, before, { name, query, isShared, isOnHome, updatedAt: new Date() })
      : before;
    if (before.isShared !== isShared || before.isOnHome !== isOnHome)
      await assertRoom(tx, { ...caller, userId: row.userId });
    if (before.isShared && !isShared) await clearDefaultsOfOthers(tx, row);
    await changeDefault(tx, caller, row, isDefault);
    return toView(row, (await selectDefaults(caller, tx)).has(id));
  });
}

/** Deletes a view. Throws 403 and 404. */
export async function deleteView({ caller, params: { id } }: Asking): Promise<void> {
  await transaction(async (tx) => {
    const row = await lockView(tx, caller, id, true);
    await note(tx, caller, { action: "view.deleted", row, changes: {} });
    await deleteViewRow(tx, row);
  });
}
