import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKey, deriveKeys } from "./secret-key";

/** What a secret is for: each purpose has its own key. */
type Purpose =
  | "signing-keys"
  | "webhook-secrets"
  | "stream-secrets"
  | "mail-logins"
  | "connection-secrets"
  | "second-factors"
  | "recovery-codes";

/** A secret as it is stored: AES-256-GCM under a key derived from the current SECRET_KEY, bound to the name of what it belongs to. */
export function sealSecret(purpose: Purpose, secret: Buffer, name: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(purpose), nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** The decrypted text, and whether it was encrypted under the current SECRET_KEY; undefined for an unknown key. */
export function openSealedSecret(
  purpose: Purpose,
  sealed: Buffer,
  name: string,
): { bytes: Buffer; isCurrent: boolean } | undefined {
  for (const [index, key] of deriveKeys(purpose).entries()) {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-16));
    try {
      const bytes = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return { bytes, isCurrent: index === 0 };
    } catch {
      // Sealed under another of them.
    }
  }
  return undefined;
}
