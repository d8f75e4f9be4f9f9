import {
  expiredToken,
  lockedCustomer,
  unknownToken,
  wrongSite,
} from "@/lib/access/authenticate-shopper";
import type { Origin } from "@/lib/access/caller";
import { customerLockedSql } from "@/lib/access/locks";
import { countRequest } from "@/lib/access/rate-limits";
import { sha256 } from "@/lib/access/secrets";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { db, read } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import { ApiError } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { actingAsCustomer, noteActivity } from "./activity";
import {
  consumerLifetimes,
  endTokenFamilies,
  isAuthentic,
  issueTokens,
  parseRefreshToken,
  refreshTokenOf,
} from "./token-families";

const maxGraceMs = 60_000;
/** More rotations than any client makes within a minute. */
const maxRotations = 300;

interface Family {
  tenantId: string;
  familyRef: string;
  customerId: string;
  siteId: string;
  anonymousId: string;
  generation: number;
  nonce: Buffer;
  tokenHash: Buffer;
  rotations: number[];
  idleExpiresAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  isLocked: boolean;
  policy: SecurityPolicy;
}

const byRef = `select f.tenant_id as "tenantId", f.family_ref as "familyRef", f.customer_id as "customerId", f.site_id as "siteId",
  f.anonymous_id as "anonymousId", f.generation, f.nonce, f.token_hash as "tokenHash", f.rotations, f.idle_expires_at as "idleExpiresAt", f.expires_at as "expiresAt",
  f.ended_at as "endedAt", ${customerLockedSql("c", "$3")} as "isLocked", t.policy
  from customer_families f join customers c on c.tenant_id = $1 and c.customer_id = f.customer_id join tenants t on t.tenant_id = $1
  where f.tenant_id = $1 and f.family_ref = $2`;

export async function findTokenFamily(
  tenantId: string,
  familyRef: string,
): Promise<Family | undefined> {
  const [family] = await read<Family>("family", byRef, [tenantId, familyRef, new Date()]);
  return family;
}

/** Throws 401 or 403 for a family whose tokens may not be used at this site, whatever their generation. */
function assertFamilyUsable(family: Family, siteId: string): void {
  if (family.siteId !== siteId) throw wrongSite();
  if (family.endedAt) throw unknownToken();
  const end = Math.min(family.idleExpiresAt.getTime(), family.expiresAt.getTime());
  if (end <= Date.now()) throw expiredToken(end);
  if (family.isLocked) throw lockedCustomer();
}

const advance = `update customer_families
  set generation = $4, token_hash = $5, rotations = $6, rotated_at = $7, idle_expires_at = least($8::timestamptz, expires_at)
  where tenant_id = $1 and family_ref = $2 and generation = $3 and ended_at is null returning generation`;

/** Makes the next generation current unless another refresh came first: compare and set, so only one of many concurrent ones wins. */
async function rotate(family: Family, idleSeconds: number): Promise<boolean> {
  const now = Date.now();
  const firstKept = family.rotations.findIndex((at) => at > now - maxGraceMs);
  const kept = firstKept < 0 ? [] : family.rotations.slice(firstKept);
  const generation = family.generation + 1;
  const values = [
    family.tenantId,
    family.familyRef,
    family.generation,
    generation,
    sha256(refreshTokenOf(family, generation)),
    JSON.stringify([...kept, now].slice(-maxRotations)),
    new Date(now),
    new Date(now + idleSeconds * 1000),
  ];
  // Not by `read`: waiting for a row lock would delay other reads queued after it.
  const { rowCount } = await db().$client.query({ name: "rotate-family", text: advance, values });
  return rowCount === 1;
}

/** Whether the token of that generation was rotated so recently that this may be a retry by the same client. */
function isWithinGrace(family: Family, generation: number, graceSeconds: number): boolean {
  const rotatedAt = family.rotations.at(generation - family.generation);
  return rotatedAt !== undefined && Date.now() - rotatedAt < graceSeconds * 1000;
}

/** A reused token means that two parties have it. Which one is the customer is unknown, so the family ends for both. */
async function endReused(family: Family, origin: Origin): Promise<never> {
  const { tenantId, customerId, familyRef } = family;
  await withTokenRevocation(tenantId, async (tx, end) => {
    const where = { ...origin, tenantId, siteId: family.siteId };
    const ended = await endTokenFamilies(tx, end, {
      tenantId: family.tenantId,
      customerId: family.customerId,
      reason: "reuse",
      only: familyRef,
    });
    if (ended.length === 0) return;
    await noteActivity(tx, where, { customerId, action: "refresh-token-reused" });
    const fact = {
      target: { type: "customer", id: customerId },
      changes: { family: { before: familyRef } },
    };
    await record(tx, actingAsCustomer(where, customerId), {
      action: "customer.family-revoked",
      ...fact,
      result: "failure",
    });
  });
  throw new ApiError(
    "auth.refresh-token-reused",
    "This refresh token was used before. Sign in again.",
    "Bearer",
    {
      headers: challenge("Bearer", "invalid_token"),
    },
  );
}

/**
 * Exchanges a refresh token for a new pair. The successor of a token is always the same, so retries within the grace period get the
 * family's current token and change nothing; a later reuse ends the family.
 */
export async function refreshTokens(
  tenantId: string,
  siteId: string,
  refreshToken: string,
  origin: Origin,
) {
  const given = parseRefreshToken(refreshToken);
  if (!given) throw unknownToken();
  for (let attempt = 0; ; attempt += 1) {
    const family = await findTokenFamily(tenantId, given.familyRef);
    if (!family || !isAuthentic(given, family) || given.generation > family.generation)
      throw unknownToken();
    if (attempt === 0) await countRequest("session", family.familyRef);
    assertFamilyUsable(family, siteId);
    const { accessSeconds, refreshIdleSeconds, refreshGraceSeconds } = consumerLifetimes(
      family.policy,
    );
    if (given.generation < family.generation) {
      if (!isWithinGrace(family, given.generation, refreshGraceSeconds))
        return endReused(family, origin);
      return issueTokens(family, family.generation, accessSeconds);
    }
    if (await rotate(family, refreshIdleSeconds))
      return issueTokens(family, family.generation + 1, accessSeconds);
    if (attempt === 5) throw unknownToken();
  }
}
