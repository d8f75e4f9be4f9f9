import { createHmac } from "node:crypto";
import { ApiError } from "@/lib/protocol/errors";

/** What a delivery is signed with: the current secret, and the one before while it is valid. */
export type SigningSecrets = readonly Buffer[];

const prefix = "whsec_";

/** The secret as its owner is shown it, in the form of Standard Webhooks. */
export const secretText = (secret: Buffer): string => `${prefix}${secret.toString("base64")}`;

/** The headers of Standard Webhooks: one signature for each secret, so that a receiver may change over when it likes. */
export function signatureHeaders(
  secrets: SigningSecrets,
  id: string,
  sentAt: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${mac}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Throws 409 while the secret before the last rotation still signs: a receiver that was promised it would reject what comes. */
export function assertNoRotation(
  code: "webhook.rotation-in-progress" | "audit-stream.rotation-in-progress",
  previousValidTo: Date | null,
): void {
  if (previousValidTo === null || previousValidTo <= new Date()) return;
  const until = previousValidTo.toISOString();
  const detail = `The secret before the last rotation is valid until ${until}. Rotate after that, or send "force": true to end it now.`;
  throw new ApiError(code, detail, until);
}
