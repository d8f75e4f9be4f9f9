import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { deriveKeys } from "@/lib/access/secret-key";
import { sha256 } from "@/lib/access/secrets";
import { db, type Transaction } from "@/lib/database/open";
import { secondFactors, usedChallenges } from "@/lib/database/schema/schema";
import type { UserKey } from "@/lib/features/users/rows";
import type { SecondFactorRow } from "./rows";

/*
 * What an authenticator signs. A challenge contains its expiry, and its MAC covers its purpose: nothing is stored before it is used, so
 * that a million requests for challenges cost the database nothing.
 *
 *   16 random bytes | end, in seconds since 1970 | MAC of both and of the purpose
 */

const livesSeconds = 300;
const randomLength = 16;
const macStart = randomLength + 4;
const length = macStart + 32;

/** The purpose that a challenge is bound to. */
export interface Binding {
  use: "add" | "prove";
  tenantId: string;
  /** The session that adds a passkey. */
  session?: string;
}

const macOf = (key: Buffer, payload: Buffer, { use, tenantId, session = "" }: Binding) =>
  createHmac("sha256", key)
    .update([use, tenantId, session, ""].join("\0"))
    .update(payload)
    .digest();

const keys = () => deriveKeys("passkey-challenges");

export function newPasskeyChallenge(binding: Binding): string {
  const payload = Buffer.concat([randomBytes(randomLength), Buffer.alloc(4)]);
  payload.writeUInt32BE(Math.floor(Date.now() / 1000) + livesSeconds, randomLength);
  const [key] = keys();
  if (!key) throw new Error("There is no secret key.");
  return Buffer.concat([payload, macOf(key, payload, binding)]).toString("base64url");
}

/** A valid challenge for this use: its hash and its expiry. */
interface Challenge {
  text: string;
  hash: Buffer;
  expiresAt: Date;
}

/** Undefined for a challenge that is forged, for another purpose, or expired. Only the database knows whether it was already used. */
export function readPasskeyChallenge(text: string, binding: Binding): Challenge | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== length || bytes.toString("base64url") !== text) return undefined;
  const payload = bytes.subarray(0, macStart);
  const given = bytes.subarray(macStart);
  const isOurs = keys().some((key) => timingSafeEqual(macOf(key, payload, binding), given));
  const expiresAt = new Date(payload.readUInt32BE(randomLength) * 1000);
  return isOurs && expiresAt > new Date() ? { text, hash: sha256(text), expiresAt } : undefined;
}

/** The user handle that an authenticator stores with a passkey added by this challenge: as random as the challenge. */
export const userHandleOf = (challenge: string): Buffer => sha256(`user handle ${challenge}`);

/** A row of a passkey, in which no passkey column is null. */
export interface PasskeyRow extends SecondFactorRow {
  credentialId: Buffer;
  rpId: string;
  signCount: number;
}

export const isPasskey = (row: SecondFactorRow): row is PasskeyRow =>
  row.kind === "passkey" && row.credentialId !== null && row.rpId !== null;

/** A passkey of a user whose home tenant this is. */
export async function findPasskey(
  tenantId: string,
  credentialId: Buffer,
): Promise<PasskeyRow | undefined> {
  const [row] = await db()
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.tenantId, tenantId), eq(secondFactors.credentialId, credentialId)));
  return row && isPasskey(row) ? row : undefined;
}

/** False if the credential id already exists in the tenant. */
export async function insertPasskey(
  tx: Transaction,
  row: typeof secondFactors.$inferInsert,
): Promise<boolean> {
  const added = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoNothing({ target: [secondFactors.tenantId, secondFactors.credentialId] })
    .returning({ factorId: secondFactors.factorId });
  return added.length > 0;
}

/** Updates the last use and the highest signature counter. */
export async function notePasskeyUse(
  { tenantId, userId, factorId }: UserKey & Pick<PasskeyRow, "factorId">,
  signCount: number,
): Promise<void> {
  await db()
    .update(secondFactors)
    .set({
      lastUsedAt: new Date(),
      signCount: sql`greatest(${secondFactors.signCount}, ${signCount}::bigint)`,
    })
    .where(
      and(
        eq(secondFactors.tenantId, tenantId),
        eq(secondFactors.userId, userId),
        eq(secondFactors.factorId, factorId),
      ),
    );
}

/** Uses a challenge up. False if it was already used, in any process. */
export async function takeChallenge(
  tx: Transaction,
  tenantId: string,
  { hash, expiresAt }: Challenge,
): Promise<boolean> {
  const taken = await tx
    .insert(usedChallenges)
    .values({ tenantId, challengeHash: hash, expiresAt })
    .onConflictDoNothing({ target: [usedChallenges.tenantId, usedChallenges.challengeHash] })
    .returning({ hash: usedChallenges.challengeHash });
  return taken.length > 0;
}
