import { and, asc, eq, getTableColumns, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { defaultViews, savedViews } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { maxOwnViews, maxSharedViews, type ViewPage } from "./values";

export type ViewRow = typeof savedViews.$inferSelect;

/** A user in a tenant. */
export interface Person {
  tenantId: string;
  userId: string;
}

const ofTenant = ({ tenantId }: Pick<Person, "tenantId">) => eq(savedViews.tenantId, tenantId);
const ofPerson = (person: Person) => and(ofTenant(person), eq(savedViews.userId, person.userId));
const byId = (tenantId: string, viewId: string) =>
  and(eq(savedViews.tenantId, tenantId), eq(savedViews.viewId, viewId));
const defaultsOf = ({ tenantId, userId }: Person, page?: ViewPage): SQL | undefined =>
  and(
    eq(defaultViews.tenantId, tenantId),
    eq(defaultViews.userId, userId),
    page === undefined ? undefined : eq(defaultViews.page, page),
  );

export const notFound = () =>
  new ApiError("view.not-found", "There is no such saved view in this tenant.");

/** A user's own views and the shared ones of some pages, by their ids. */
export const selectViews = (person: Person, sharedOn: readonly ViewPage[]): Promise<ViewRow[]> =>
  db()
    .select()
    .from(savedViews)
    .where(
      and(
        ofTenant(person),
        or(
          eq(savedViews.userId, person.userId),
          and(eq(savedViews.isShared, true), inArray(savedViews.page, [...sharedOn])),
        ),
      ),
    )
    .orderBy(asc(savedViews.viewId))
    .limit(maxOwnViews + maxSharedViews);

/** The ids of a user's default views. */
export async function selectDefaults(person: Person, on: Executor = db()): Promise<Set<string>> {
  const rows = await on
    .select({ viewId: defaultViews.viewId })
    .from(defaultViews)
    .where(defaultsOf(person));
  return new Set(rows.map(({ viewId }) => viewId));
}

/** The default view of a page for a user. */
export async function selectDefaultView(
  person: Person,
  page: ViewPage,
): Promise<ViewRow | undefined> {
  const [row] = await db()
    .select(getTableColumns(savedViews))
    .from(savedViews)
    .innerJoin(
      defaultViews,
      and(defaultsOf(person, page), eq(defaultViews.viewId, savedViews.viewId)),
    )
    .where(ofTenant(person));
  return row;
}

export async function insertView(tx: Transaction, row: ViewRow): Promise<void> {
  await tx.insert(savedViews).values(row);
}

const onHome = sql`count(*) filter (where ${savedViews.isOnHome})`;

/** The number of a user's private views, and of the tenant's shared views; for both, the number on the home page. */
export async function countViews(
  tx: Transaction,
  person: Person,
): Promise<Record<"own" | "shared", { all: number; onHome: number }>> {
  const count = async (counted: SQL | undefined) => {
    const [row] = await tx
      .select({ all: sql<number>`count(*)::int`, onHome: onHome.mapWith(Number) })
      .from(savedViews)
      .where(counted);
    return row ?? { all: 0, onHome: 0 };
  };
  const isShared = (shared: boolean) => eq(savedViews.isShared, shared);
  return {
    own: await count(and(ofPerson(person), isShared(false))),
    shared: await count(and(ofTenant(person), isShared(true))),
  };
}

/** Changes a view and returns the new row; without changes it only locks the row. Throws 404. */
export async function setView(
  tx: Transaction,
  { tenantId, viewId }: Pick<ViewRow, "tenantId" | "viewId">,
  set: Partial<Pick<ViewRow, "name" | "query" | "isShared" | "isOnHome" | "updatedAt">>,
): Promise<ViewRow> {
  const [row] = await tx
    .update(savedViews)
    .set({ viewId, ...set })
    .where(byId(tenantId, viewId))
    .returning();
  if (!row) throw notFound();
  return row;
}

export async function deleteViewRow(tx: Transaction, { tenantId, viewId }: ViewRow): Promise<void> {
  await tx.delete(savedViews).where(byId(tenantId, viewId));
}

/** Makes a view the default of its page for a user. */
export async function setDefault(
  tx: Transaction,
  { tenantId, userId }: Person,
  { viewId, page }: Pick<ViewRow, "viewId" | "page">,
): Promise<void> {
  await tx
    .insert(defaultViews)
    .values({ tenantId, userId, page, viewId })
    .onConflictDoUpdate({
      target: [defaultViews.tenantId, defaultViews.userId, defaultViews.page],
      set: { viewId },
    });
}

const ofView = ({ tenantId, viewId }: ViewRow) =>
  and(eq(defaultViews.tenantId, tenantId), eq(defaultViews.viewId, viewId));

export async function clearDefault(tx: Transaction, person: Person, view: ViewRow): Promise<void> {
  await tx.delete(defaultViews).where(and(ofView(view), eq(defaultViews.userId, person.userId)));
}

/** A view that is no longer shared can only be the default of its creator. */
export async function clearDefaultsOfOthers(tx: Transaction, view: ViewRow): Promise<void> {
  await tx.delete(defaultViews).where(and(ofView(view), ne(defaultViews.userId, view.userId)));
}

/** The views that a user created. */
export const selectViewsOf = (person: Person): Promise<ViewRow[]> =>
  db()
    .select()
    .from(savedViews)
    .where(ofPerson(person))
    .orderBy(asc(savedViews.viewId))
    .limit(maxOwnViews + maxSharedViews);

/** Deletes all views of a user, including shared ones, and the user's defaults. */
export async function deleteViewsOf(tx: Transaction, person: Person): Promise<void> {
  await tx.delete(savedViews).where(ofPerson(person));
  await tx.delete(defaultViews).where(defaultsOf(person));
}
