import { resealSigningKey, signingKeys } from "@/lib/database/global";
import { setting } from "@/lib/protocol/settings";
import { openSealedSecret, sealSecret } from "./sealed-secrets";

/** A private key as it is stored. */
export const seal = (privateKey: Buffer, kid: string): Buffer =>
  sealSecret("signing-keys", privateKey, kid);

/** The private key, and whether it is sealed under the current secret; undefined when it is under one that is not known here. */
export const openSealed = (sealed: Buffer, kid: string) =>
  openSealedSecret("signing-keys", sealed, kid);

/**
 * Checks at the start whether this is the secret the store was written with: the newest signing key, sealed under it, is its fingerprint.
 * After a rotation what a former secret sealed is sealed again. A secret that opens nothing stops the start, unless the right one is given up
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
