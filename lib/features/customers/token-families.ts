import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, desc, eq, inArray, isNull, lt, ne } from "drizzle-orm";
import type { Shopper } from "@/lib/access/caller";
import { signAccessToken } from "@/lib/access/consumer-tokens";
import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { deriveKeys } from "@/lib/access/secret-key";
import { sha256 } from "@/lib/access/secrets";
import type { TokenRevocation } from "@/lib/access/token-revocations";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { customerFamilies as families } from "@/lib/database/schema/schema";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";

interface RefreshToken {
  familyRef: string;
  generation: number;
  proof: string;
  hash: Buffer;
}

interface Family {
  familyRef: string;
  nonce: Buffer;
}

const pattern = /^svr_([0-9a-z]{26})\.(0|[1-9a-z][0-9a-z]{0,5})\.([\w-]{43})$/;

/** Derived from family and generation, so that a repeated refresh gets the same token; forging one needs the key. */
const proofsOf = ({ familyRef, nonce }: Family, generation: number): string[] =>
  deriveKeys("refresh-tokens").map((key) =>
    createHmac("sha256", key)
      .update(`${familyRef} ${generation} `)
      .update(nonce)
      .digest("base64url"),
  );

interface Stored extends Family {
  generation?: number;
  tokenHash?: Buffer;
}

/** The family's refresh token of that generation. The stored hash identifies a token created before SECRET_KEY was rotated. */
export function refreshTokenOf(family: Stored, generation: number): string {
  const tokens = proofsOf(family, generation).map(
    (proof) => `svr_${family.familyRef.slice("fam_".length)}.${generation.toString(36)}.${proof}`,
  );
  const { tokenHash } = generation === family.generation ? family : {};
  const stored = tokens.find((token) => tokenHash && sha256(token).equals(tokenHash));
  return stored ?? tokens[0] ?? "";
}

/** The parts of a refresh token, not yet authenticated: see `isAuthentic`. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, ref, generation, proof] = pattern.exec(text) ?? [];
  if (!ref || !generation || !proof) return undefined;
  return {
    familyRef: `fam_${ref}`,
    generation: Number.parseInt(generation, 36),
    proof,
    hash: sha256(text),
  };
}

/** Whether this service issued the token: the current one is compared by its hash, so that it survives a rotation of SECRET_KEY, earlier ones by their proof. */
export function isAuthentic(
  token: RefreshToken,
  family: Family & { generation: number; tokenHash: Buffer },
): boolean {
  if (token.generation === family.generation) return timingSafeEqual(token.hash, family.tokenHash);
  const given = Buffer.from(token.proof);
  return proofsOf(family, token.generation).some((proof) =>
    timingSafeEqual(given, Buffer.from(proof)),
  );
}

/** How long shoppers' tokens live under this policy, and how long a refresh may be repeated. */
export function consumerLifetimes(policy: SecurityPolicy) {
  return {
    anonymousSeconds: policy.anonymousTokenSeconds ?? lifetimeSeconds("ANONYMOUS_TOKEN_TTL"),
    accessSeconds: policy.accessTokenSeconds ?? lifetimeSeconds("ACCESS_TOKEN_TTL"),
    refreshIdleSeconds: policy.refreshIdleSeconds ?? lifetimeSeconds("REFRESH_IDLE"),
    refreshAbsoluteSeconds: policy.refreshAbsoluteSeconds ?? lifetimeSeconds("REFRESH_ABSOLUTE"),
    refreshGraceSeconds: policy.refreshGraceSeconds ?? lifetimeSeconds("REFRESH_GRACE"),
  };
}

const retentionMs = 30 * 86_400_000;
/** The most sign-ins of one customer that can be refreshed; the oldest ones above this are deleted. */
const maxFamilies = 100;

type Reason = NonNullable<(typeof families.$inferSelect)["endReason"]>;

/** Issues the pair of tokens of that generation of a family. */
export async function issueTokens(
  family: {
    tenantId: string;
    siteId: string;
    anonymousId: string;
    customerId: string;
    familyRef: string;
    nonce: Buffer;
    generation?: number;
    tokenHash?: Buffer;
  },
  generation: number,
  accessSeconds: number,
) {
  return {
    accessToken: await signAccessToken(family, accessSeconds),
    refreshToken: refreshTokenOf(family, generation),
  };
}

async function deleteOldFamilies(
  tx: Transaction,
  tenantId: string,
  customerId: string,
  now: Date,
): Promise<void> {
  const mine = and(eq(families.tenantId, tenantId), eq(families.customerId, customerId));
  await tx
    .delete(families)
    .where(and(mine, lt(families.expiresAt, new Date(now.getTime() - retentionMs))));
  const oldest = await tx
    .select({ ref: families.familyRef })
    .from(families)
    .where(mine)
    .orderBy(desc(families.createdAt), desc(families.familyRef))
    .offset(maxFamilies);
  const refs = oldest.map((one) => one.ref);
  if (refs.length > 0)
    await tx.delete(families).where(and(mine, inArray(families.familyRef, refs)));
}

/** Creates the token family of a customer who has just signed in. */
export async function createTokenFamily(
  tx: Transaction,
  shopper: Shopper,
  customerId: string,
  lifetimes: ReturnType<typeof consumerLifetimes>,
) {
  const { tenantId, siteId, anonymousId, address, agent } = shopper;
  const now = new Date();
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const family = {
    tenantId,
    siteId,
    anonymousId,
    customerId,
    familyRef: newId("fam"),
    nonce: randomBytes(32),
  };
  const expiresAt = after(lifetimes.refreshAbsoluteSeconds);
  await deleteOldFamilies(tx, tenantId, customerId, now);
  await tx.insert(families).values({
    ...family,
    generation: 0,
    tokenHash: sha256(refreshTokenOf(family, 0)),
    rotations: [],
    createdAt: now,
    rotatedAt: now,
    idleExpiresAt: after(Math.min(lifetimes.refreshIdleSeconds, lifetimes.refreshAbsoluteSeconds)),
    expiresAt,
    address,
    agent,
  });
  return family;
}

/** The families of a customer to end, and the reason: all unless limited by `only`, `except` or the site `at`. */
interface FamiliesToEnd {
  tenantId: string;
  customerId: string;
  reason: Reason;
  only?: string;
  except?: string;
  at?: string;
}

/** Ends families of a customer in a transaction opened with `withTokenRevocation`; their access tokens end with them. Returns their refs. */
export async function endTokenFamilies(
  tx: Transaction,
  end: (endings: TokenRevocation[]) => Promise<void>,
  which: FamiliesToEnd,
): Promise<string[]> {
  const ended = await tx
    .update(families)
    .set({ endedAt: new Date(), endReason: which.reason })
    .where(
      and(
        eq(families.tenantId, which.tenantId),
        eq(families.customerId, which.customerId),
        isNull(families.endedAt),
        which.only === undefined ? undefined : eq(families.familyRef, which.only),
        which.except === undefined ? undefined : ne(families.familyRef, which.except),
        which.at === undefined ? undefined : eq(families.siteId, which.at),
      ),
    )
    .returning({ ref: families.familyRef });
  const refs = ended.map((one) => one.ref);
  await end(refs.map((subject) => ({ subject, effect: "ended" })));
  return refs;
}
