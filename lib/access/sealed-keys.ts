import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { resealSigningKey, signingKeys } from "@/lib/database/global";
import { setting } from "@/lib/protocol/settings";
import { deriveKey, deriveKeys } from "./secret-key";

const purpose = "signing-keys";

/** A private key as it is stored: AES-256-GCM under a key derived from the current SECRET_KEY. */
export function seal(privateKey: Buffer, kid: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(purpose), nonce).setAAD(Buffer.from(kid));
  return Buffer.concat([nonce, cipher.update(privateKey), cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed, and whether under the current secret; undefined when it was under one that is not known here. */
export function openSealed(
  sealed: Buffer,
  kid: string,
): { bytes: Buffer; isCurrent: boolean } | undefined {
  for (const [index, key] of deriveKeys(purpose).entries()) {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(kid)).setAuthTag(sealed.subarray(-16));
    try {
      const bytes = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return { bytes, isCurrent: index === 0 };
    } catch {
      // Sealed under another of them.
    }
  }
  return undefined;
}

/**
 * Judges at the start whether this is the secret the store was written with: the newest signing key, sealed under it, is its fingerprint.
 * After a rotation what a former secret sealed is sealed anew. A secret that fits nothing rejects the start, unless the right one is given up
 * as lost.
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
