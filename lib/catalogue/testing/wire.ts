import { type IncomingHttpHeaders, request as send } from "node:http";

/** A request exactly as sent: with two headers of one name, without Host, or with a wrong length. */
export interface WireRequest {
  method: string;
  path: string;
  /** An undefined one is left out. */
  headers: Record<string, string | string[] | undefined>;
  body?: string;
  /** Nothing is sent after the headers, whatever length they announce. */
  isUnfinished?: boolean;
}

export interface WireResponse {
  status: number;
  headers: IncomingHttpHeaders;
  code: string | undefined;
  /** Of an error. */
  detail: string | undefined;
}

function errorOf(status: number, text: string): Pick<WireResponse, "code" | "detail"> {
  const { code, detail } = status < 400 ? {} : JSON.parse(text || "{}");
  return { code, detail };
}

/** Sends one request on a separate connection. */
export function sendWire(url: string, request: WireRequest): Promise<WireResponse> {
  const { method, path, body, isUnfinished } = request;
  const { hostname, port, host } = new URL(url);
  const headers = Object.fromEntries(
    Object.entries({ Host: host, ...request.headers }).filter(([, value]) => value !== undefined),
  );
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers, agent: false, setHost: false };
    const sent = send(options, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const text = Buffer.concat(parts).toString("utf8");
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, ...errorOf(status, text) });
      sent.destroy();
    });
    sent.on("error", reject);
    if (isUnfinished) sent.flushHeaders();
    else sent.end(body);
  });
}
