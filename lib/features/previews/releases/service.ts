import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { configurationsOfKeys, StageConflict } from "@/lib/features/previews/change-stages";
import { siteOf } from "@/lib/features/previews/find";
import { maxReleaseAheadDays } from "@/lib/features/previews/values";
import { assertQuota } from "@/lib/features/quotas/quotas";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { ReleaseEntry } from "@/lib/protocol/documents/preview";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { NewRelease, Release, ReleaseChange, ReleasePublication } from "./contract";
import {
  deleteReleaseRow,
  getReleaseRow,
  insertRelease,
  lockRelease,
  openStates,
  type ReleaseRow,
  selectReleases,
  setRelease,
  toRelease,
} from "./rows";
import { conflictError, keysOf, publishWithin, targetOf } from "./worker";

/** A request about one release. */
interface Asking {
  caller: Caller;
  params: { id: string };
}

const keyOf = ({ caller, params }: Asking) => ({
  tenantId: caller.tenantId,
  siteId: siteOf(caller),
  releaseId: params.id,
});

/** The releases of the request's site, newest first. */
export async function listReleases(
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Release>> {
  const site = { tenantId: caller.tenantId, siteId: siteOf(caller) };
  const rows = await selectReleases(site, readCursor(cursor, 1)?.[0], limit + 1);
  const page = cutPage(rows, limit, (row) => [row.releaseId]);
  return { items: page.items.map(toRelease), next: page.next };
}

export const getRelease = async (asking: Asking): Promise<Release> =>
  toRelease(await getReleaseRow(keyOf(asking)));

type GivenEntries = z.output<typeof NewRelease>["entries"];

const wrongEntry = (index: number, detail: string) =>
  invalid([{ pointer: `/entries/${index}/key`, detail: `/entries/${index}/key ${detail}` }]);

/** The entries with their current revisions. Throws 400 for a repeated or unknown key, 409 for an archived or changed configuration. */
async function resolveEntries(
  tx: Transaction,
  caller: Caller,
  given: GivenEntries,
): Promise<ReleaseEntry[]> {
  const site = { tenantId: caller.tenantId, siteId: siteOf(caller) };
  const keys = given.map(({ key }) => key);
  const found = await configurationsOfKeys(tx, site, keys);
  return given.map(({ key, stage, version }, index) => {
    if (keys.indexOf(key) < index) throw wrongEntry(index, "is there twice.");
    const now = found.get(key);
    if (!now) throw wrongEntry(index, "names no preview configuration of the site.");
    if (now.isArchived) throw conflict(key, "is archived");
    if (version !== undefined && version !== now.version)
      throw conflict(key, `is at version ${now.version}`);
    return { key, previewId: now.previewId, stage, version: now.version };
  });
}

const conflict = (key: string, words: string) =>
  new ApiError("release.conflict", `The preview configuration "${key}" ${words}.`, key);

/** Throws 400 for an instant that has passed or is too far ahead. */
function assertAhead(at: Date): void {
  const ahead = at.getTime() - Date.now();
  if (ahead > 0 && ahead <= maxReleaseAheadDays * 86_400_000) return;
  const detail = `/at must be in the future, at most P${maxReleaseAheadDays}D ahead.`;
  throw invalid([{ pointer: "/at", detail }]);
}

/** The scheduled state of a release, with the user on whose behalf it will be published. */
const scheduledFor = (caller: Caller, at: Date) => ({
  state: "scheduled" as const,
  publishAt: at,
  problems: [],
  schedulerUserId: caller.userId,
  schedulerKeyId: caller.kind === "apiKey" ? caller.credentialId : null,
});

/** Creates a release of the newest revisions. Throws 400, 409 and 429. */
export async function createRelease({
  caller,
  body: { name, entries: given, at },
}: {
  caller: Caller;
  body: z.output<typeof NewRelease>;
}): Promise<Release> {
  if (at) assertAhead(at);
  const { tenantId, userId } = caller;
  const ids = { tenantId, siteId: siteOf(caller), releaseId: newId("rel") };
  return transactionFor(caller, async (tx) => {
    const entries = await resolveEntries(tx, caller, given);
    const isNew = { name, entries, problems: [], createdAt: new Date(), userId };
    const state = at ? scheduledFor(caller, at) : { state: "open" as const };
    const row = await insertRelease(tx, { ...ids, ...isNew, ...state });
    const keys = { after: keysOf(row) };
    await record(tx, actingAs(caller), {
      action: "release.created",
      target: targetOf(row),
      changes: { name: { after: name }, keys, ...(at && { at: { after: at.toISOString() } }) },
    });
    await assertQuota(tx, tenantId, "releases");
    return toRelease(row);
  });
}

function assertOpen(row: ReleaseRow): void {
  if (row.endedAt === null) return;
  throw new ApiError("release.ended", `The release was ${row.state}.`, row.endedAt.toISOString());
}

/** Changes a release that has not ended; a failed one becomes open again. Throws 400, 404, 412 and 409. */
export async function updateRelease(
  { body, ...asking }: Asking & { body: z.output<typeof ReleaseChange> },
  assertUnchanged: AssertUnchanged,
): Promise<Release> {
  const { caller } = asking;
  return transaction(async (tx) => {
    const before = await lockRelease(tx, keyOf(asking));
    await assertUnchanged(() => toRelease(before));
    assertOpen(before);
    const { name = before.name } = body;
    const entries = body.entries && (await resolveEntries(tx, caller, body.entries));
    const reopened =
      before.state === "failed" && entries ? { state: "open" as const, problems: [] } : {};
    const set = { name, ...(entries && { entries }), ...reopened };
    const after = await setRelease(tx, before, { states: openStates }, set);
    if (!after) throw new Error("A release changed while its row was held.");
    await record(tx, actingAs(caller), {
      action: "release.updated",
      target: targetOf(after),
      changes: {
        ...(name === before.name ? {} : { name: { before: before.name, after: name } }),
        ...(entries && { keys: { before: keysOf(before), after: keysOf(after) } }),
      },
    });
    return toRelease(after);
  });
}

/** Deletes a release. Throws 404 and 412. */
export async function deleteRelease(
  asking: Asking,
  assertUnchanged: AssertUnchanged,
): Promise<void> {
  await transaction(async (tx) => {
    const row = await lockRelease(tx, keyOf(asking));
    await assertUnchanged(() => toRelease(row));
    await deleteReleaseRow(tx, row);
    await record(tx, actingAs(asking.caller), {
      action: "release.deleted",
      target: targetOf(row),
      changes: { name: { before: row.name } },
    });
  });
}

async function schedule(tx: Transaction, caller: Caller, row: ReleaseRow, at: Date) {
  const set = scheduledFor(caller, at);
  const scheduled = await setRelease(tx, row, { states: openStates }, set);
  if (!scheduled) throw new Error("A release changed while its row was held.");
  const before = row.publishAt && { before: row.publishAt.toISOString() };
  await record(tx, actingAs(caller), {
    action: "release.scheduled",
    target: targetOf(row),
    changes: { at: { ...before, after: at.toISOString() } },
  });
  return scheduled;
}

/** Publishes a release now, whole or not at all, or schedules it. Throws 400, 404, 409 and 429. */
export async function publishRelease({
  body: { at },
  ...asking
}: Asking & { body: z.output<typeof ReleasePublication> }): Promise<Release> {
  const { caller } = asking;
  if (at) assertAhead(at);
  try {
    return await transactionFor(caller, async (tx) => {
      const row = await lockRelease(tx, keyOf(asking));
      assertOpen(row);
      return toRelease(
        at ? await schedule(tx, caller, row, at) : await publishWithin(tx, caller, row),
      );
    });
  } catch (error) {
    throw error instanceof StageConflict ? conflictError(error) : error;
  }
}

/** Cancels a release permanently. Throws 404 and 409. */
export async function cancelRelease(asking: Asking): Promise<Release> {
  const { caller } = asking;
  return transactionFor(caller, async (tx) => {
    const row = await lockRelease(tx, keyOf(asking));
    assertOpen(row);
    const end = { state: "cancelled" as const, endedAt: new Date() };
    const cancelled = await setRelease(tx, row, { states: openStates }, end);
    if (!cancelled) throw new Error("A release changed while its row was held.");
    await record(tx, actingAs(caller), { action: "release.cancelled", target: targetOf(row) });
    return toRelease(cancelled);
  });
}
