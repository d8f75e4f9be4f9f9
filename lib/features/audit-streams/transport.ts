import { type Attempt, attempted } from "@/lib/features/delivery/attempt";
import { send } from "@/lib/features/delivery/send";
import { signatureHeaders } from "@/lib/features/delivery/signature";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import type { Batch } from "./batch";
import { sendToFile } from "./file";
import { type TrustedStream, userAgent } from "./open-stream";
import type { StreamRow } from "./rows";
import { sendToStorage } from "./s3";
import { openSecrets, signingSecrets } from "./secrets";
import { sendBySyslog } from "./syslog";

type Https = Extract<StreamSettings, { kind: "https" }>;

/** Posts the entries as NDJSON, signed as Standard Webhooks are. */
function sendByHttps(
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

const lostSecrets =
  "The stream's secrets were encrypted with a SECRET_KEY that is lost. Give them again, and rotate what signs.";

/** Sends a batch once. Never throws: whatever happens is the outcome of the attempt. */
export function sendBatch(
  { tenantId, streamId, settings, secrets: sealed }: StreamRow,
  batch: Batch,
): Promise<Attempt> {
  const secrets = openSecrets(sealed, streamId)?.secrets;
  if (!secrets || (settings.kind === "https" && secrets.signing === undefined))
    return attempted(() => Promise.resolve({ problem: lostSecrets }));
  const stream = { tenantId, streamId };
  switch (settings.kind) {
    case "https":
      return sendByHttps({ ...stream, settings, secrets }, batch);
    case "syslog":
      return sendBySyslog({ ...stream, settings }, batch);
    case "s3":
      return sendToStorage({ ...stream, settings, secrets }, batch);
    case "file":
      return sendToFile({ ...stream, settings }, batch);
  }
}
