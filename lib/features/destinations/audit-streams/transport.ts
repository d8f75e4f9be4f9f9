import { createHash, createHmac } from "node:crypto";
import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { type Attempt, attempted } from "@/lib/features/events/delivery/attempt";
import { send, signatureHeaders } from "@/lib/features/events/delivery/send";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { sendToFile } from "./file";
import { getStreamRow, openSecrets, type StreamRow, signingSecrets } from "./rows";
import {
  type Batch,
  batchOf,
  type OpenStream,
  type StreamedEntry,
  type TrustedStream,
  targetOf,
  userAgent,
} from "./stream";
import { sendBySyslog } from "./syslog";

/** AWS Signature Version 4, with the payload signed. */

interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

interface Unsigned {
  method: string;
  /** Its path must already be percent-encoded once. */
  url: URL;
  /** Each of them is signed. The host and the date are added. */
  headers: Record<string, string>;
  body: string;
}

interface Scope {
  region: string;
  service: string;
  at: Date;
}

export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

/** Percent-encodes all but unreserved characters (RFC 3986). */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.toSorted(byCode).join("&");
}

/** The headers of a request, including its signature. */
export function signedHeaders(
  { method, url, headers, body }: Unsigned,
  { accessKeyId, secretAccessKey }: AccessKey,
  { region, service, at }: Scope,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const all: Record<string, string> = { ...headers, host: url.host, "x-amz-date": time };
  const names = Object.keys(all).toSorted(byCode);
  const lines = names.map((name) => `${name}:${(all[name] ?? "").trim().replace(/ +/g, " ")}\n`);
  const request = [
    ...[method, url.pathname, canonicalQuery(url), lines.join(""), names.join(";")],
    sha256Hex(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256Hex(request)].join("\n");
  const steps = [day, region, service, "aws4_request"];
  const key = steps.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}

type Storage = Extract<StreamSettings, { kind: "s3" }>;

/**
 * The object name contains the first entry but not the last one, so that a repeated batch, possibly with more entries, overwrites the
 * object.
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

/** Sends a batch once. Never throws: any failure is the outcome of the attempt. */
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

/** Sends one entry outside the chain to a stream, enabled or not, and returns the outcome. Throws 404. */
export async function testAuditStream(caller: Caller, id: string) {
  const row = await getStreamRow(caller.tenantId, id);
  const action = "audit-stream.tested";
  const target = targetOf(row);
  await transaction((tx) => record(tx, actingAs(caller), { action, target }));
  const entry: StreamedEntry = {
    id: newId("aud"),
    occurredAt: new Date().toISOString(),
    actor: { type: "user", id: caller.userId, login: caller.login },
    ...{ action, target, changes: {}, requestId: caller.requestId, result: "success" as const },
  };
  const { isDelivered, ...attempt } = await sendBatch(row, batchOf([entry]));
  return { delivered: isDelivered, attempt };
}
