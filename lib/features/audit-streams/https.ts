import type { Attempt } from "@/lib/features/delivery/attempt";
import { send } from "@/lib/features/delivery/send";
import { signatureHeaders } from "@/lib/features/delivery/signature";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import type { Batch } from "./batch";
import type { TrustedStream } from "./open-stream";
import { signingSecrets } from "./secrets";

type Https = Extract<StreamSettings, { kind: "https" }>;

export const userAgent = "Gatehouse-Audit-Streams/1";

/** Posts the entries as NDJSON, signed as Standard Webhooks are. */
export function sendByHttps(
  { streamId, settings: { url, ca }, secrets }: TrustedStream<Https>,
  { first, last, text }: Batch,
): Promise<Attempt> {
  const sentAt = new Date();
  const id = `${streamId}-${first}-${last}`;
  const { authorization } = secrets;
  const headers = {
    ...signatureHeaders(signingSecrets(secrets, sentAt), id, sentAt, text),
    "content-type": "application/x-ndjson; charset=utf-8",
    "user-agent": userAgent,
    ...(authorization === undefined ? {} : { authorization }),
  };
  return send({ url, ca }, { method: "POST", headers, body: text });
}
