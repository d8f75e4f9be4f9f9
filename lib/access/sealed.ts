import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { resealSigningKey, signingKeys } from "@/lib/database/global";
import { setting } from "@/lib/protocol/settings";
import { deriveKey, deriveKeys } from "./secret-key";

/** The purposes of secrets: each has its own key. */
type Purpose =
  | "signing-keys"
  | "webhook-secrets"
  | "stream-secrets"
  | "mail-logins"
  | "connection-secrets"
  | "second-factors"
  | "recovery-codes";

/** Encrypts a secret for storage: AES-256-GCM under a key derived from the current SECRET_KEY, bound to the name of its owner. */
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
      // Sealed under another key.
    }
  }
  return undefined;
}

/** Encrypts a private key for storage. */
export const seal = (privateKey: Buffer, kid: string): Buffer =>
  sealSecret("signing-keys", privateKey, kid);

/** The private key, and whether it is sealed under the current secret; undefined if that secret is unknown here. */
export const openSealed = (sealed: Buffer, kid: string) =>
  openSealedSecret("signing-keys", sealed, kid);

/**
 * Checks at startup whether this is the secret that the store was written with: it must open the newest signing key. After a rotation, keys
 * sealed under a former secret are sealed again. A secret that opens nothing is an error that ends the startup, unless the former one is
 * declared lost.
 */
export async function adoptSecretKey(): Promise<void> {
  const rows = await signingKeys();
  const newest = rows.at(-1);
  if (
    newest &&
    !openSealed(newest.privateKey, newest.kid) &&
    !setting("SECRET_KEY_PREVIOUS").isLost
  )
    throw new Error(
      "SECRET_KEY is not the one this store was written with. Give the former one too, as SECRET_KEY_PREVIOUS; if it is lost, SECRET_KEY_PREVIOUS=lost goes on without it, and what it signed counts no more.",
    );
  for (const { kid, privateKey } of rows) {
    const found = openSealed(privateKey, kid);
    if (found && !found.isCurrent) await resealSigningKey(kid, privateKey, seal(found.bytes, kid));
  }
}
