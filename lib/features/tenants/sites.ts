import { and, desc, eq, lt, ne, or } from "drizzle-orm";
import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { db, type Executor, foreignKeyViolation } from "@/lib/database/open";
import { sites } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { isAnyRoleAtSite } from "@/lib/features/users/role-rows";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey, parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { NewSite, Site, SiteChange } from "./sites-contract";

type Row = typeof sites.$inferSelect;

/** A request about one site. */
interface OfSite {
  caller: Caller;
  params: { id: string };
}

function answerOf({ siteId: id, name, createdAt, allowedOrigins, locales, currency }: Row): Site {
  return { id, name, createdAt: createdAt.toISOString(), allowedOrigins, locales, currency };
}

const auditTarget = ({ siteId: id, name }: Pick<Row, "siteId" | "name">): AuditTarget => ({
  type: "site",
  id,
  name,
});
const one = (tenantId: string, siteId: string) =>
  and(eq(sites.tenantId, tenantId), eq(sites.siteId, siteId));

async function find(tx: Executor, tenantId: string, siteId: string): Promise<Row> {
  const [row] = await tx.select().from(sites).where(one(tenantId, siteId));
  if (!row) throw new ApiError("site.not-found", `The tenant has no site "${siteId}".`);
  return row;
}

/** The tenant's sites, newest first. */
export async function listSites(
  caller: Caller,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page<Site>> {
  const after = readCursor(
    query.cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const at = after && new Date(after[0] ?? "");
  const rows = await db()
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.tenantId, caller.tenantId),
        at &&
          or(
            lt(sites.createdAt, at),
            and(eq(sites.createdAt, at), lt(sites.siteId, after[1] ?? "")),
          ),
      ),
    )
    .orderBy(desc(sites.createdAt), desc(sites.siteId))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [row.createdAt.toISOString(), row.siteId]);
  return { items: page.items.map(answerOf), next: page.next };
}

export async function getSite(caller: Caller, siteId: string): Promise<Site> {
  return answerOf(await find(db(), caller.tenantId, siteId));
}

/** Throws 409 for the name of another site. The tenant's row must be locked: then two requests cannot take the same name. */
async function assertSiteNameFree(
  tx: Executor,
  tenantId: string,
  siteId: string,
  name: string,
): Promise<void> {
  const others = await tx
    .select({ name: sites.name })
    .from(sites)
    .where(and(eq(sites.tenantId, tenantId), ne(sites.siteId, siteId)));
  if (!others.some((other) => labelKey(other.name) === labelKey(name))) return;
  throw new ApiError(
    "site.name-taken",
    `The tenant has a site called "${name}" already. Choose another name.`,
    "/name",
  );
}

/** Makes a site. Throws 409 for an id or a name in use. */
export async function createSite(
  caller: Caller,
  { id: siteId, ...given }: z.output<typeof NewSite>,
): Promise<Site> {
  const { tenantId } = caller;
  const row: Row = { tenantId, siteId, createdAt: new Date(), ...given };
  await withAccessChange(caller, async (tx) => {
    const made = await tx
      .insert(sites)
      .values(row)
      .onConflictDoNothing({ target: [sites.tenantId, sites.siteId] })
      .returning({ siteId: sites.siteId });
    if (made.length === 0)
      throw new ApiError(
        "site.id-taken",
        `The tenant has a site "${siteId}" already. Choose another id.`,
        "/id",
      );
    await assertSiteNameFree(tx, tenantId, siteId, given.name);
    const changes = Object.fromEntries(
      Object.entries(given).map(([field, after]) => [field, { after }]),
    );
    await record(tx, actingAs(caller), {
      action: "site.created",
      target: auditTarget(row),
      changes,
    });
    await assertQuota(tx, tenantId, "sites");
  });
  return answerOf(row);
}

/** Changes what is given. Throws 409 for a name in use. Origins take effect on every node within a second. */
export async function updateSite(
  { caller, params: { id: siteId }, body: given }: OfSite & { body: z.output<typeof SiteChange> },
  assertUnchanged: AssertUnchanged,
): Promise<Site> {
  const { tenantId } = caller;
  return withAccessChange(tenantId, async (tx) => {
    const before = await find(tx, tenantId, siteId);
    await assertUnchanged(() => answerOf(before));
    const fields = (Object.keys(given) as (keyof typeof given)[]).filter(
      (field) =>
        given[field] !== undefined &&
        JSON.stringify(given[field]) !== JSON.stringify(before[field]),
    );
    if (fields.length === 0) return answerOf(before);
    if (given.name !== undefined) await assertSiteNameFree(tx, tenantId, siteId, given.name);
    const set = Object.fromEntries(fields.map((field) => [field, given[field]]));
    await tx.update(sites).set(set).where(one(tenantId, siteId));
    const changes = Object.fromEntries(
      fields.map((field) => [field, { before: before[field], after: given[field] }]),
    );
    const after: Row = { ...before, ...set };
    await record(tx, actingAs(caller), {
      action: "site.updated",
      target: auditTarget(after),
      changes,
    });
    return answerOf(after);
  });
}

/** The objects that may belong to a site, by their foreign key. */
const contents: Record<string, [name: string, words: string]> = {
  customer_sites_site_fk: ["customers", "customers"],
  preview_configurations_site_fk: [
    "previews",
    "preview configurations (deleted ones are kept for 30 days)",
  ],
};

const notEmpty = (name: string, words: string) =>
  new ApiError("site.not-empty", `The site still has ${words}.`, name);

/** Deletes a site. Throws 409 while a user has a role there, or customers or preview configurations belong to it. */
export async function deleteSite(
  { caller, params: { id: siteId } }: OfSite,
  assertUnchanged: AssertUnchanged,
): Promise<void> {
  const { tenantId } = caller;
  try {
    await withAccessChange(tenantId, async (tx) => {
      const row = await find(tx, tenantId, siteId);
      await assertUnchanged(() => answerOf(row));
      const gone = await tx
        .delete(sites)
        .where(one(tenantId, siteId))
        .returning({ siteId: sites.siteId });
      if (gone.length === 0)
        throw new ApiError("site.not-found", `The tenant has no site "${siteId}".`);
      // Queried after the row is locked: a transaction that grants a role there locks it too.
      if (await isAnyRoleAtSite(tx, tenantId, siteId))
        throw notEmpty("roles", "people with roles there");
      await record(tx, actingAs(caller), {
        action: "site.deleted",
        target: auditTarget(row),
        changes: { name: { before: row.name } },
      });
    });
  } catch (error) {
    const holder = foreignKeyViolation(error);
    if (holder === undefined) throw error;
    throw notEmpty(...(contents[holder] ?? ["contents", "contents"]));
  }
}
