import type { Caller } from "@/lib/access/caller";
import type { Transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import {
  changeStages,
  type StageConflict,
  type StageFault,
} from "@/lib/features/previews/change-stages";
import type { ReleaseProblem } from "@/lib/protocol/documents/preview";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { ApiError } from "@/lib/protocol/errors";
import { type ReleaseKey, type ReleaseRow, setRelease } from "./rows";

/** How the audit trail names a release. */
export const targetOf = ({ siteId, releaseId, name }: ReleaseKey & { name: string }) => ({
  type: "release",
  id: releaseId,
  name: `${siteId}/${name}`,
});

export const keysOf = ({ entries }: Pick<ReleaseRow, "entries">) => entries.map(({ key }) => key);

const faults: Record<StageFault, { code: ErrorCode; words: string }> = {
  gone: { code: "preview.not-found", words: "was deleted" },
  archived: { code: "preview.archived", words: "is archived" },
  changed: { code: "release.conflict", words: "was changed since the release was made" },
  "too-large": { code: "request.body-too-large", words: "has no room for the stage" },
};

/** What kept a release from being published, for each configuration. */
export const problemsOf = ({ faults: found }: StageConflict): ReleaseProblem[] =>
  found.map(({ key, fault }) => ({
    key,
    code: faults[fault].code,
    detail: `The preview configuration "${key}" ${faults[fault].words}.`,
  }));

/** 409 with the keys of the configurations that are not as they were. */
export function conflictError(conflict: StageConflict): ApiError {
  const problems = problemsOf(conflict);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const detail = `Nothing was published. ${problems[0]?.detail ?? ""}${more}`;
  return new ApiError("release.conflict", detail, problems.map(({ key }) => key).join(","));
}

/**
 * Publishes a release whose row the transaction holds: every configuration gets its stage, or the transaction is to be undone.
 * Throws StageConflict, and 429 beyond a quota.
 */
export async function publishWithin(
  tx: Transaction,
  caller: Caller,
  row: ReleaseRow,
): Promise<ReleaseRow> {
  const author = { ...caller, via: "release" as const };
  const target = { siteId: row.siteId, changes: row.entries };
  const versions = await changeStages(tx, actingAs(caller), author, target);
  const entries = row.entries.map((entry) => ({
    ...entry,
    publishedVersion: versions.get(entry.previewId) ?? entry.version,
  }));
  const end = { state: "published" as const, entries, problems: [], endedAt: new Date() };
  const published = await setRelease(tx, row, { states: [row.state] }, end);
  if (!published) throw new Error("A release changed while its row was held.");
  await record(tx, actingAs(caller), {
    action: "release.published",
    target: targetOf(row),
    changes: { keys: { after: keysOf(row) } },
  });
  return published;
}
