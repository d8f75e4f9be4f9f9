import { assertCredentialUsable, assertNotRevoked } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { findCredentials } from "@/lib/access/credential-batch";
import { describeKeys } from "@/lib/access/key-descriptions";
import { latestUse, noteUse } from "@/lib/access/last-used";
import { countRequest } from "@/lib/access/rate-limits";
import { recordCellsOnce } from "@/lib/features/metrics/events";
import { invalid } from "@/lib/protocol/errors";
import type { UsageReport } from "./contract";
import { maxClockSkewMs, maxUseAgeMs, verifyOperation } from "./values";

type Use = UsageReport["uses"][number];

/** Throws 400 for uses older than a day or in the future: a wrong clock would corrupt last uses and metrics. */
function assertRecent(uses: readonly Use[], now: number): void {
  const problems = uses.flatMap(({ lastUsedAt }, index) => {
    const pointer = `/uses/${index}/lastUsedAt`;
    const age = now - lastUsedAt.getTime();
    const detail = `${pointer} must be within the last day.`;
    return age <= maxUseAgeMs && age >= -maxClockSkewMs ? [] : [{ pointer, detail }];
  });
  if (problems.length > 0) throw invalid(problems);
}

/**
 * Records the last use, unless a later one is known. A report replaces a use known only from a verification, which
 * has no operation, within the tolerated clock skew. Uses are never recorded in the future.
 */
function note(tenantId: string, use: Use, idleSeconds?: number): void {
  const { credentialId, kind, lastUsedAt, address = "", operation = verifyOperation } = use;
  const latest = latestUse(credentialId);
  const tellsMore = latest?.operation === verifyOperation && operation !== verifyOperation;
  const toleratedMs = tellsMore ? maxClockSkewMs : 0;
  const reportedAt = Math.min(lastUsedAt.getTime(), Date.now());
  if (latest && reportedAt < latest.at - toleratedMs) return;
  const at = Math.max(reportedAt, latest?.at ?? 0);
  const noted = { tenantId, credentialId, at, address, operation };
  noteUse({ ...noted, kind: kind === "apiKey" ? "apiKey" : "session" }, idleSeconds);
}

/** Sessions that are still valid, with their reported uses: an ended one must not continue because of an earlier use. */
async function usableSessions(tenantId: string, uses: readonly Use[]) {
  const lookups = uses.map(({ credentialId }) => ({
    kind: "bearer" as const,
    lookup: credentialId,
  }));
  const found = await findCredentials(tenantId, lookups);
  return uses.flatMap((use, index) => {
    const credential = found[index];
    if (!credential) return [];
    try {
      assertNotRevoked(credential);
      assertCredentialUsable(credential, Date.now());
      return [{ use, idleSeconds: credential.principal.idleSeconds }];
    } catch {
      return [];
    }
  });
}

const cellOf = (service: string, { credentialId, count, lastUsedAt, operation }: Use) => ({
  time: lastUsedAt,
  domain: service,
  endpoint: operation ?? "*",
  method: operation?.split(" ", 1)[0] ?? "GET",
  status: 200,
  apiKeyId: credentialId,
  count,
});

/**
 * Records the uses that verifiers counted: last uses, and the calls of API keys in the metrics, once for each batch. Rate limits are
 * not affected: uses of a limited key were counted when it was verified. Ignores credentials that the tenant does not have (any more).
 */
export async function reportUsage(caller: Caller, { batchId, service, uses }: UsageReport) {
  const { tenantId, credentialId } = caller;
  assertRecent(uses, Date.now());
  if (uses.length > 1) await countRequest("verification", credentialId, 1, uses.length - 1);
  const ofKeys = uses.filter(({ kind }) => kind === "apiKey");
  const [keys, sessions] = await Promise.all([
    describeKeys(tenantId, [...new Set(ofKeys.map((use) => use.credentialId))]),
    usableSessions(
      tenantId,
      uses.filter(({ kind }) => kind !== "apiKey"),
    ),
  ]);
  const known = new Set(keys.map(({ apiKeyId }) => apiKeyId));
  const counted = ofKeys.filter((use) => known.has(use.credentialId));
  for (const use of counted) note(tenantId, use);
  for (const { use, idleSeconds } of sessions) note(tenantId, use, idleSeconds);
  if (counted.length > 0) {
    const cells = counted.map((use) => cellOf(service, use));
    await recordCellsOnce(caller, { batchId: `usage:${batchId}`, cells });
  }
  return {
    batchId,
    credentials: counted.length + sessions.length,
    uses: counted.reduce((sum, { count }) => sum + count, 0),
  };
}
