import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import { type Acting, record } from "@/lib/features/audit/service";
import type { PreviewStage } from "@/lib/protocol/documents/preview";
import { type Content, contentOf, withStage } from "./content";
import { type Author, changesTo, insertRevision, targetOf } from "./find";
import { assertBytesWithinQuota } from "./storage";

/** The maximum size of a configuration in a PUT. */
const maxBytes = 256 * 1024;

/** The new stage for a configuration, if it is still at this version. */
export interface StageChange {
  key: string;
  previewId: string;
  version: number;
  stage: PreviewStage;
}

export type StageFault = "gone" | "archived" | "changed" | "too-large";

/** Thrown if a configuration has changed, so that the transaction is rolled back. */
export class StageConflict extends Error {
  readonly faults: { key: string; fault: StageFault }[];
  constructor(faults: { key: string; fault: StageFault }[]) {
    super("Preview configurations are not as they were.");
    this.faults = faults;
  }
}

const one = (tenantId: string, previewId: string) =>
  and(eq(previewConfigurations.tenantId, tenantId), eq(previewConfigurations.previewId, previewId));

async function faultOf(tx: Transaction, tenantId: string, previewId: string): Promise<StageFault> {
  const { archivedAt, deletedAt } = previewConfigurations;
  const [row] = await tx
    .select({ archivedAt, deletedAt })
    .from(previewConfigurations)
    .where(one(tenantId, previewId));
  if (!row || row.deletedAt) return "gone";
  return row.archivedAt ? "archived" : "changed";
}

interface Raised extends StageChange {
  /** Undefined if the configuration already has the stage. */
  content: Content | undefined;
  hash: string;
}

/** Locks the configuration's row at its version, and increments the version if the stage differs. */
async function raise(
  tx: Transaction,
  tenantId: string,
  change: StageChange,
): Promise<Raised | StageFault> {
  const { previewId, version, stage } = change;
  const [revision] = await tx
    .select({ content: previewRevisions.content, hash: previewRevisions.hash })
    .from(previewRevisions)
    .where(
      and(
        eq(previewRevisions.tenantId, tenantId),
        eq(previewRevisions.previewId, previewId),
        eq(previewRevisions.n, version),
      ),
    );
  if (!revision) return faultOf(tx, tenantId, previewId);
  const configuration = JSON.parse(revision.content.toString("utf8"));
  const isThere = configuration.stage === stage;
  const bytes = isThere ? revision.content : withStage(revision.content, stage);
  if (bytes.length > maxBytes) return "too-large";
  const content = isThere ? undefined : contentOf(bytes, { ...configuration, stage });
  const set = content ? { version: version + 1, ...content.summary } : { version };
  const { version: current, archivedAt, deletedAt } = previewConfigurations;
  const unchanged = and(eq(current, version), isNull(archivedAt), isNull(deletedAt));
  const raised = await tx
    .update(previewConfigurations)
    .set(set)
    .where(and(one(tenantId, previewId), unchanged))
    .returning({ previewId: previewConfigurations.previewId });
  if (raised.length === 0) return faultOf(tx, tenantId, previewId);
  return { ...change, content, hash: revision.hash };
}

const byId = (a: StageChange, b: StageChange) => (a.previewId < b.previewId ? -1 : 1);

/**
 * Sets the stages of a site's configurations: all of them, or none. Each becomes a separate revision, in which only the stage differs.
 * Returns the version of each by its id. Locks the configuration rows in order of their ids before the tenant's row, like other writes,
 * so that no two deadlock. Throws StageConflict, and 429 beyond a quota.
 */
export async function changeStages(
  tx: Transaction,
  acting: Acting,
  author: Author,
  { siteId, changes }: { siteId: string; changes: readonly StageChange[] },
): Promise<Map<string, number>> {
  const { tenantId } = acting;
  const raised: Raised[] = [];
  const faults: StageConflict["faults"] = [];
  for (const change of changes.toSorted(byId)) {
    const result = await raise(tx, tenantId, change);
    if (typeof result === "string") faults.push({ key: change.key, fault: result });
    else raised.push(result);
  }
  if (faults.length > 0) throw new StageConflict(faults);
  const versions = new Map<string, number>();
  for (const { key, previewId, version, content, hash } of raised) {
    versions.set(previewId, content ? version + 1 : version);
    if (!content) continue;
    const revision = { tenantId, previewId, version: version + 1, content };
    const written = await insertRevision(tx, author, revision);
    await record(tx, acting, {
      action: "preview.updated",
      target: targetOf(siteId, previewId, key),
      changes: changesTo({ version, hash }, written),
    });
    await assertBytesWithinQuota(tx, revision);
  }
  return versions;
}

/** A configuration found by its key. */
export interface ConfigurationOfKey {
  previewId: string;
  key: string;
  version: number;
  isArchived: boolean;
}

/** The configurations of a site with these keys. */
export async function configurationsOfKeys(
  tx: Transaction,
  { tenantId, siteId }: { tenantId: string; siteId: string },
  keys: readonly string[],
): Promise<Map<string, ConfigurationOfKey>> {
  const { previewId, previewKey: key, version, archivedAt } = previewConfigurations;
  const rows = await tx
    .select({ previewId, key, version, isArchived: sql<boolean>`${archivedAt} is not null` })
    .from(previewConfigurations)
    .where(
      and(
        eq(previewConfigurations.tenantId, tenantId),
        eq(previewConfigurations.siteId, siteId),
        inArray(key, [...keys]),
        isNull(previewConfigurations.deletedAt),
      ),
    );
  return new Map(rows.map((row) => [row.key, row]));
}
