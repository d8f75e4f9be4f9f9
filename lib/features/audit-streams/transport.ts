import { type Attempt, attempted } from "@/lib/features/delivery/attempt";
import { send } from "@/lib/features/delivery/send";
import { signatureHeaders } from "@/lib/features/delivery/signature";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import type { Batch } from "./batch";
import { sendToFile } from "./file";
import { type OpenStream, type TrustedStream, userAgent } from "./open-stream";
import type { StreamRow } from "./rows";
import { openSecrets, signingSecrets } from "./secrets";
import { encoded, sha256Hex, signedHeaders } from "./sigv4";
import { sendBySyslog } from "./syslog";

type Storage = Extract<StreamSettings, { kind: "s3" }>;

/**
 * The name of the object says which entry it begins with, and nothing of where it ends: when the same entries are sent again, with more
 * behind them perhaps, the object is written over.
 */
function objectName(
  { tenantId, streamId, settings: { prefix } }: OpenStream<Storage>,
  { first, entries }: Batch,
): string {
  const name = first === 0 ? "test" : String(first).padStart(15, "0");
  const day = entries[0]?.occurredAt.slice(0, 10).replaceAll("-", "/") ?? "";
  return `${prefix}${tenantId}/${streamId}/${first === 0 ? "" : `${day}/`}${name}.ndjson`;
}

/** Puts the entries as one object, under an address in path style. */
function sendToStorage(stream: TrustedStream<Storage>, batch: Batch): Promise<Attempt> {
  const { settings, secrets } = stream;
  const path = `${settings.bucket}/${objectName(stream, batch)}`.split("/").map(encoded).join("/");
  const url = new URL(`/${path}`, settings.url);
  const headers = {
    "content-type": "application/x-ndjson; charset=utf-8",
    "x-amz-content-sha256": sha256Hex(batch.text),
  };
  const { accessKeyId } = settings;
  const signed = signedHeaders(
    { method: "PUT", url, headers, body: batch.text },
    { accessKeyId, secretAccessKey: secrets.secretAccessKey ?? "" },
    { region: settings.region, service: "s3", at: new Date() },
  );
  return send(
    { url: url.href, ca: settings.ca },
    { method: "PUT", headers: { ...signed, "user-agent": userAgent }, body: batch.text },
  );
}

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
