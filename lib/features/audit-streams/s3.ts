import type { Attempt } from "@/lib/features/delivery/attempt";
import { send } from "@/lib/features/delivery/send";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import type { Batch } from "./batch";
import { type OpenStream, type TrustedStream, userAgent } from "./open-stream";
import { encoded, sha256Hex, signedHeaders } from "./sigv4";

type Storage = Extract<StreamSettings, { kind: "s3" }>;

/**
 * The name of the object says which entry it begins with, and nothing of where it ends: when the same entries are sent again, with more
 * behind them perhaps, the object is written over.
 */
export function objectName(
  { tenantId, streamId, settings: { prefix } }: OpenStream<Storage>,
  { first, entries }: Batch,
): string {
  const name = first === 0 ? "test" : String(first).padStart(15, "0");
  const day = entries[0]?.occurredAt.slice(0, 10).replaceAll("-", "/") ?? "";
  return `${prefix}${tenantId}/${streamId}/${first === 0 ? "" : `${day}/`}${name}.ndjson`;
}

/** Puts the entries as one object, under an address in path style. */
export function sendToStorage(stream: TrustedStream<Storage>, batch: Batch): Promise<Attempt> {
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
