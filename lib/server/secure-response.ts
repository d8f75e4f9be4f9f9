import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { publicUrl } from "@/lib/protocol/public-url";

const always = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
const overHttps = { ...always, "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** Headers of every response, in lower case: of the interface, of pages, files and errors alike. */
export const securityHeaders = (): Record<string, string> =>
  publicUrl().startsWith("https://") ? overHttps : always;

/** Index of the value of a header in a flat list of names and values. */
const valueIndex = (list: OutgoingHttpHeader[], name: string) => list.indexOf(name) + 1;

/**
 * A proxy that transforms a response must make its ETag weak, and a weak one meets no If-Match: `no-transform` (RFC 9110, 7.7) asks
 * caches and proxies to leave the bytes of an answer that has one as they are.
 */
function keepTagStrong(list: OutgoingHttpHeader[]): void {
  if (valueIndex(list, "etag") === 0) return;
  const at = valueIndex(list, "cache-control");
  if (at === 0) list.push("cache-control", "no-transform");
  else list[at] = `${list[at]}, no-transform`;
}

/** Adds the headers of every response to a flat list of names (in lower case) and values, in place. */
function addTo(list: OutgoingHttpHeader[]): void {
  keepTagStrong(list);
  for (const [name, value] of Object.entries(securityHeaders()))
    if (!list.includes(name)) list.push(name, value);
}

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The response that the server creates for each request: nothing leaves it without the security headers, and no tag without `no-transform`. */
export class SecureResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Given, given?: Given): this {
    const headers = typeof reason === "object" ? reason : given;
    const words = typeof reason === "string" ? reason : undefined;
    // Headers as a list are written as they are: a separately set header would be merged, at a cost.
    if (Array.isArray(headers)) addTo(headers);
    else
      for (const [name, value] of Object.entries(securityHeaders()))
        if (!this.hasHeader(name)) this.setHeader(name, value);
    return words === undefined
      ? super.writeHead(status, headers)
      : super.writeHead(status, words, headers);
  }
}
