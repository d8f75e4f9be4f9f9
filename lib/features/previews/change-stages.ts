import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import { type Acting, record } from "@/lib/features/audit/service";
import type { PreviewStage } from "@/lib/protocol/documents/preview";
import { type Content, contentOf, withStage } from "./content";
import { type Author, changesTo, insertRevision, targetOf } from "./find";
import { assertBytesWithinQuota } from "./storage";

/** As long as a configuration may be that a PUT brings. */
const maxBytes = 256 * 1024;

/** A configuration that is to have a stage, if it is still at this version. */
export interface StageChange {
  key: string;
  previewId: string;
  version: number;
  stage: PreviewStage;
}

export type StageFault = "gone" | "archived" | "changed" | "too-large";

/** Thrown where a configuration is not as it was, so that nothing of the transaction is kept. */
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
  /** Undefined where the configuration has the stage already. */
  content: Content | undefined;
  hash: string;
}

/** Takes the configuration's row at its version, and raises the version where the stage is another one. */
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
 * Gives configurations of a site their stages: all of them, or none. Each becomes a separate revision, in which nothing but the stage
 * is another. Returns the version of each by its id. Every row of a configuration is taken before the tenant's row is, in one order, as
 * other writes do, so that no two wait for each other. Throws StageConflict, and 429 beyond a quota.
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

/** A configuration as its key names it. */
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
