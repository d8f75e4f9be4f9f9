import { createHash, createHmac } from "node:crypto";

/** AWS Signature Version 4, with the payload signed. */

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Unsigned {
  method: string;
  /** Its path is encoded already, each byte once. */
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

/** As RFC 3986 has it: everything but unreserved characters. */
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

/** The headers of a request with its signature among them. */
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
