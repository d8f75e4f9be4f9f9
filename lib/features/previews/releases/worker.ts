import {
  assertCredentialUsable,
  assertNotRevoked,
  unknownCredential,
} from "@/lib/access/authenticate";
import {
  assertApiKeyAllowed,
  assertPasswordChanged,
  assertRights,
} from "@/lib/access/authorization";
import type { Caller } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { databaseNow } from "@/lib/database/clock";
import { isStoreDown, type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import {
  changeStages,
  StageConflict,
  type StageFault,
} from "@/lib/features/previews/change-stages";
import type { ReleaseProblem } from "@/lib/protocol/documents/preview";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { noteJob } from "@/lib/protocol/per-process";
import { publishRelease } from "./contract";
import { dueReleases, getReleaseRow, type ReleaseKey, type ReleaseRow, setRelease } from "./rows";

/** The target of a release in the audit trail. */
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

/** Why a release could not be published, for each configuration. */
const problemsOf = ({ faults: found }: StageConflict): ReleaseProblem[] =>
  found.map(({ key, fault }) => ({
    key,
    code: faults[fault].code,
    detail: `The preview configuration "${key}" ${faults[fault].words}.`,
  }));

/** 409 with the keys of the configurations that have changed. */
export function conflictError(conflict: StageConflict): ApiError {
  const problems = problemsOf(conflict);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const detail = `Nothing was published. ${problems[0]?.detail ?? ""}${more}`;
  return new ApiError("release.conflict", detail, problems.map(({ key }) => key).join(","));
}

/**
 * Publishes a release whose row the transaction has locked: every configuration gets its stage, or the transaction must be rolled back.
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

/**
 * The scheduler of a release with its current permissions, checked as if the operation were called now. Throws the errors of the
 * operation.
 */
async function currentScheduler(row: ReleaseRow): Promise<Caller> {
  const { tenantId, siteId, releaseId, schedulerUserId: userId, schedulerKeyId: apiKeyId } = row;
  const subject = apiKeyId === null ? { userId: userId ?? "" } : { apiKeyId };
  const credential = await describeCredential(tenantId, subject);
  if (!credential || credential.principal.userId !== userId) throw unknownCredential("session");
  assertNotRevoked(credential);
  assertCredentialUsable(credential, Date.now());
  const origin = { requestId: releaseId, address: "", agent: "" };
  const caller: Caller = { ...credential.principal, ...origin, siteId };
  assertPasswordChanged(publishRelease, caller);
  assertRights(publishRelease, caller);
  assertApiKeyAllowed(publishRelease, caller, {});
  return caller;
}

/*
 * Publishes due releases. Every process polls every second, without a lease: the publishing transaction updates the release's row only
 * if it is still scheduled, so only one process publishes it. If a process is killed before it commits, the next poll of any process
 * finds the release again. Times are those of the database.
 */

const lookMs = 1000;

/** Marks the release as failed with its problems; nothing of it is published, and it remains until a user changes it. */
async function fail(key: ReleaseKey, dueAt: Date, problems: ReleaseProblem[]): Promise<void> {
  await transaction(async (tx) => {
    const set = { state: "failed" as const, problems };
    const row = await setRelease(tx, key, { states: ["scheduled"], dueAt }, set);
    if (!row) return;
    const { tenantId, schedulerUserId, schedulerKeyId: keyId } = row;
    const actor = {
      type: "user" as const,
      id: schedulerUserId ?? row.userId,
      ...(keyId === null ? {} : { keyId }),
    };
    const acting = { tenantId, actor, requestId: row.releaseId, address: "", agent: "" };
    await record(tx, acting, {
      action: "release.failed",
      target: targetOf(row),
      changes: { problems: { after: problems.map(({ key: of, code }) => ({ key: of, code })) } },
    });
  });
}

/** The problems of an error that a retry would not fix; undefined for other errors. */
function lastingProblems(error: unknown): ReleaseProblem[] | undefined {
  if (error instanceof StageConflict) return problemsOf(error);
  if (!isRejection(error)) return undefined;
  return [{ key: null, code: error.code, detail: error.message }];
}

/** Publishes one release that is due at that time, or records why it cannot be published. */
async function publishDue(key: ReleaseKey, now: Date): Promise<void> {
  try {
    const caller = await currentScheduler(await getReleaseRow(key));
    await transaction(async (tx) => {
      const due = { states: ["scheduled"] as const, dueAt: now };
      const row = await setRelease(tx, key, due, { state: "scheduled" });
      if (row) await publishWithin(tx, caller, row);
    });
  } catch (error) {
    const problems = isStoreDown(error) ? undefined : lastingProblems(error);
    if (!problems) throw error;
    await fail(key, now, problems);
  }
}

/** Publishes every release that is due. Temporary failures are retried by the next poll. */
export async function publishDueReleases(now: Date, signal?: AbortSignal): Promise<void> {
  for (const key of await dueReleases(now)) {
    if (signal?.aborted) return;
    await publishDue(key, now).catch((error: unknown) =>
      log().warn({ err: error, ...key }, "a release that is due was not published"),
    );
  }
}

/** Publishes releases until the returned function is called, which waits for the current one. */
export function startPublishing(): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    await databaseNow()
      .then((now) => publishDueReleases(now, signal))
      .then(
        () => noteJob("releases", true),
        (error: unknown) => {
          noteJob("releases", false);
          log().warn({ err: error }, "releases could not be looked for");
        },
      );
    if (!signal.aborted) timer = setTimeout(next, lookMs).unref();
  };
  let running = Promise.resolve();
  const next = () => {
    running = look();
  };
  next();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
