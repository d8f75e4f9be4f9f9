import { randomBytes } from "node:crypto";
import { openSealedSecret, sealSecret } from "@/lib/access/sealed-secrets";

/** What a stream keeps that nobody is shown again. */
export interface StreamSecrets {
  /** base64: what batches over https are signed with. */
  signing?: string;
  /** The same before the last rotation, and until when it signs too. */
  previousSigning?: string;
  previousValidTo?: string;
  authorization?: string;
  secretAccessKey?: string;
}

const purpose = "stream-secrets";

/** What a batch is signed with at this moment, the current secret first. */
export function signingSecrets(
  { signing, previousSigning, previousValidTo }: StreamSecrets,
  now: Date,
): Buffer[] {
  const isValid = previousValidTo !== undefined && new Date(previousValidTo) > now;
  return [signing, isValid ? previousSigning : undefined].flatMap((one) =>
    one === undefined ? [] : [Buffer.from(one, "base64")],
  );
}

export const newSigningSecret = (): Buffer => randomBytes(32);

export const sealSecrets = (secrets: StreamSecrets, streamId: string): Buffer =>
  sealSecret(purpose, Buffer.from(JSON.stringify(secrets)), streamId);

/** The secrets, and whether they are sealed under the current key; undefined when that key is not known here. */
export function openSecrets(
  sealed: Buffer,
  streamId: string,
): { secrets: StreamSecrets; isCurrent: boolean } | undefined {
  const opened = openSealedSecret(purpose, sealed, streamId);
  if (!opened) return undefined;
  const secrets: StreamSecrets = JSON.parse(opened.bytes.toString("utf8"));
  return { secrets, isCurrent: opened.isCurrent };
}
