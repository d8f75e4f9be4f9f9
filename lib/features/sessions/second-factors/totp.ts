import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/*
 * Codes of authenticator apps (RFC 6238) as all of them take them: SHA-1, 6 digits, steps of 30 seconds. A code of the step before
 * or after the present one counts too, because clocks of phones differ.
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

/** The secret as an app takes it: typed in base32, or as the address of a QR code. */
export function describeSecret(
  secret: Buffer,
  { tenantId, login }: { tenantId: string; login: string },
): { secret: string; uri: string } {
  const totp = totpOf(secret, { issuer: `Gatehouse ${tenantId}`, label: login });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The step of which the code is, counted from 1970; undefined where it is none of the present ones. */
export function matchStep(secret: Buffer, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: drift });
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
}
