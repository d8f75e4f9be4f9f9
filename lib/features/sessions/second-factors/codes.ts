import { createHmac, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Transaction } from "@/lib/database/open";
import type { UserKey } from "@/lib/features/users/rows";
import { openHashKey, type RecoveryCodesRow, sealHashKey, setRecoveryCodes } from "./rows";
import { recoveryCodeCount } from "./values";

/*
 * Codes of authenticator apps (RFC 6238) as all apps accept them: SHA-1, 6 digits, steps of 30 seconds. A code of the step before
 * or after the current one is valid too, because clocks of phones differ.
 */

const stepSeconds = 30;
const drift = 1;
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;

export const newSharedSecret = (): Buffer => randomBytes(secretBytes);

const totpOf = (secret: Buffer, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...names,
    algorithm: "SHA1",
    digits: 6,
    period: stepSeconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });

/** The secret for an app: base32 to type, or the URI of a QR code. */
export function describeSecret(
  secret: Buffer,
  { tenantId, login }: { tenantId: string; login: string },
): { secret: string; uri: string } {
  const totp = totpOf(secret, { issuer: `Gatehouse ${tenantId}`, label: login });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The step of the code, counted from 1970; undefined if the code is not currently valid. */
export function matchStep(secret: Buffer, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: drift });
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
}

/** 32 characters, 5 bits each: without those that are easily confused. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz0";
const charactersEach = 10;

/** 50 random bits. @example "7k3md-92wqx" */
function newCode(): string {
  const text = [...randomBytes(charactersEach)].map((byte) => alphabet[byte % 32]).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

const hashOf = (key: Buffer, code: string) =>
  createHmac("sha256", key).update(code.toLowerCase().replace(/[\s-]/g, "")).digest("hex");

/** Replaces the recovery codes with ten new ones, which only this result has. */
export async function replaceRecoveryCodes(tx: Transaction, user: UserKey): Promise<string[]> {
  const key = randomBytes(32);
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await setRecoveryCodes(tx, {
    tenantId: user.tenantId,
    userId: user.userId,
    hashKey: sealHashKey(key, user),
    codeHashes: codes.map((code) => hashOf(key, code)),
    createdAt: new Date(),
  });
  return codes;
}

/** The stored hash for an entered code; undefined if the key of the hashes is lost. */
export function hashRecoveryCode(row: RecoveryCodesRow, code: string): string | undefined {
  const key = openHashKey(row);
  return key && hashOf(key, code);
}
