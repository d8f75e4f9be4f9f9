import { and, desc, eq, gt, isNull, lt } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { db, type Executor } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type {
  ListPreviewRevisionsQuery,
  ListPreviewsQuery,
  Preview,
  PreviewRevision,
} from "./contract";
import { checkKey, findState, notFound, type StateWithContent, siteOf } from "./find";

/** How long a deleted configuration is retained. */
export const keptMilliseconds = 30 * 86_400_000;

/** Configurations that were deleted after this instant can be restored. */
export const restorableSince = () => new Date(Date.now() - keptMilliseconds);

const shown = {
  previewId: previewConfigurations.previewId,
  key: previewConfigurations.previewKey,
  title: previewConfigurations.title,
  isEnabled: previewConfigurations.isEnabled,
  stage: previewConfigurations.stage,
  version: previewConfigurations.version,
  problems: previewConfigurations.problems,
  archivedAt: previewConfigurations.archivedAt,
  deletedAt: previewConfigurations.deletedAt,
  hash: previewRevisions.hash,
  writtenAt: previewRevisions.writtenAt,
  userId: previewRevisions.userId,
  login: previewRevisions.login,
};

/** Configurations joined with their newest revision. */
function previews(executor: Executor) {
  const newest = and(
    eq(previewRevisions.tenantId, previewConfigurations.tenantId),
    eq(previewRevisions.previewId, previewConfigurations.previewId),
    eq(previewRevisions.n, previewConfigurations.version),
  );
  return executor.select(shown).from(previewConfigurations).innerJoin(previewRevisions, newest);
}

type Row = Awaited<ReturnType<ReturnType<typeof previews>["execute"]>>[number];

function answerOf(row: Row): Preview {
  return {
    key: row.key,
    ...(row.title === null ? {} : { title: row.title }),
    ...(row.isEnabled === null ? {} : { enabled: row.isEnabled }),
    ...(row.stage === null ? {} : { stage: row.stage }),
    version: row.version,
    etag: `"${row.hash}"`,
    updatedAt: row.writtenAt.toISOString(),
    updatedBy: { id: row.userId, login: row.login },
    problems: row.problems,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    ...(row.deletedAt ? { deletedAt: row.deletedAt.toISOString() } : {}),
  };
}

/** The configurations of the caller's site, the newest first. */
export async function listPreviews(
  caller: Caller,
  query: z.output<typeof ListPreviewsQuery>,
): Promise<Page<Preview>> {
  const after = readCursor(query.cursor, 1);
  const conditions = [
    eq(previewConfigurations.tenantId, caller.tenantId),
    eq(previewConfigurations.siteId, siteOf(caller)),
    query.deleted
      ? gt(previewConfigurations.deletedAt, restorableSince())
      : isNull(previewConfigurations.deletedAt),
    after && lt(previewConfigurations.previewId, after[0] ?? ""),
  ];
  const rows = await previews(db())
    .where(and(...conditions))
    .orderBy(desc(previewConfigurations.previewId))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [row.previewId]);
  return { items: page.items.map(answerOf), next: page.next };
}

/** Throws 404. */
export async function getPreview(
  caller: Caller,
  key: string,
  executor: Executor = db(),
): Promise<Preview> {
  checkKey(key);
  const [row] = await previews(executor).where(
    and(
      eq(previewConfigurations.tenantId, caller.tenantId),
      eq(previewConfigurations.siteId, siteOf(caller)),
      eq(previewConfigurations.previewKey, key),
      isNull(previewConfigurations.deletedAt),
    ),
  );
  if (!row) throw notFound(key);
  return answerOf(row);
}

/** The revisions of a configuration, the newest first. Throws 404. */
export async function listRevisions(
  caller: Caller,
  key: string,
  { limit, cursor }: z.output<typeof ListPreviewRevisionsQuery>,
): Promise<Page<PreviewRevision>> {
  const after = readCursor(cursor, 1, (n) => /^\d{1,9}$/.test(n));
  const { previewId } = await findState(caller, key);
  const { n, writtenAt, userId, login, via, hash } = previewRevisions;
  const rows = await db()
    .select({ n, writtenAt, userId, login, via, hash })
    .from(previewRevisions)
    .where(
      and(
        eq(previewRevisions.tenantId, caller.tenantId),
        eq(previewRevisions.previewId, previewId),
        after && lt(previewRevisions.n, Number(after[0])),
      ),
    )
    .orderBy(desc(previewRevisions.n))
    .limit(limit + 1);
  const page = cutPage(rows, limit, (row) => [String(row.n)]);
  const items = page.items.map((row) => ({
    n: row.n,
    at: row.writtenAt.toISOString(),
    by: { id: row.userId, login: row.login },
    via: row.via,
    hash: row.hash,
  }));
  return { items, next: page.next };
}

/** The bytes of one revision. Throws 404. */
export async function findRevision(
  caller: Caller,
  key: string,
  n: string,
): Promise<StateWithContent> {
  const state = await findState(caller, key);
  const { hash, writtenAt, content } = previewRevisions;
  const [row] = /^[1-9]\d{0,8}$/.test(n)
    ? await db()
        .select({ hash, writtenAt, content })
        .from(previewRevisions)
        .where(
          and(
            eq(previewRevisions.tenantId, caller.tenantId),
            eq(previewRevisions.previewId, state.previewId),
            eq(previewRevisions.n, Number(n)),
          ),
        )
    : [];
  if (!row) throw notFound(`${key}/revisions/${n}`);
  return { ...state, ...row, content: row.content as Buffer<ArrayBuffer> };
}
