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

/** Adds the security headers to a flat list of names and values, in place. */
function addTo(list: OutgoingHttpHeader[]): void {
  for (const [name, value] of Object.entries(securityHeaders()))
    if (!list.includes(name)) list.push(name, value);
}

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The response that the server creates for each request: nothing leaves it without the security headers. */
export class SecureResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Given, given?: Given): this {
    const headers = typeof reason === "object" ? reason : given;
    const words = typeof reason === "string" ? reason : undefined;
    // Headers as a list are written as they are: a header set beside them would be merged, at a cost.
    if (Array.isArray(headers)) addTo(headers);
    else
      for (const [name, value] of Object.entries(securityHeaders()))
        if (!this.hasHeader(name)) this.setHeader(name, value);
    return words === undefined
      ? super.writeHead(status, headers)
      : super.writeHead(status, words, headers);
  }
}
