import { type IncomingMessage, request as send } from "node:http";

/** A request exactly as it is sent: with two headers of one name, without Host, or with a length that its body does not have. */
export interface WireRequest {
  method: string;
  path: string;
  /** An undefined one is left out. */
  headers: Record<string, string | string[] | undefined>;
  body?: string;
  /** Nothing follows the headers, whatever length they announce. */
  isUnfinished?: boolean;
}

export interface WireResponse {
  status: number;
  code: string | undefined;
}

function codeOf(response: IncomingMessage, text: string): string | undefined {
  if ((response.statusCode ?? 0) < 400) return undefined;
  return JSON.parse(text || "{}").code;
}

/** Sends one request on a connection of its own. */
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
      resolve({ status: response.statusCode ?? 0, code: codeOf(response, text) });
      sent.destroy();
    });
    sent.on("error", reject);
    if (isUnfinished) sent.flushHeaders();
    else sent.end(body);
  });
}
