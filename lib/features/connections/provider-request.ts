import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import {
  checkedLookup,
  type Resolve,
  resolveName,
  urlProblem,
} from "@/lib/features/events/delivery/target";

/** Time limit from the DNS lookup to the end of the response. */
const maxRequestMs = 5000;
const maxResponseBytes = 1024 * 1024;
const maxHeaderBytes = 16_384;

export interface ProviderRequest {
  url: string;
  headers?: Record<string, string>;
  /** Form fields, sent by POST; without them the request is a GET. */
  form?: URLSearchParams;
  /** Replaces DNS in tests. */
  resolve?: Resolve;
  signal?: AbortSignal;
}

export interface ProviderResponse {
  status: number;
  /** The parsed JSON; undefined if the body is not JSON. */
  body: unknown;
}

async function readBody(received: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of received as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxResponseBytes) throw new Error("The response is longer than 1 MiB.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a request to an identity provider by the rules of webhooks: https, no private networks except WEBHOOK_NETWORKS, the name resolved
 * once and pinned, no redirects; and at most 5 seconds and 1 MiB. Throws without a complete response.
 */
export async function askProvider(asked: ProviderRequest): Promise<ProviderResponse> {
  const forbidden = urlProblem(asked.url);
  if (forbidden !== undefined) throw new Error(`The URL ${forbidden}.`);
  const signal = asked.signal ?? AbortSignal.timeout(maxRequestMs);
  const open = asked.url.startsWith("https:") ? tlsRequest : plainRequest;
  const body = asked.form?.toString();
  const headers = {
    Accept: "application/json",
    ...asked.headers,
    ...(body !== undefined && {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(Buffer.byteLength(body)),
    }),
  };
  const lookup = checkedLookup(asked.resolve ?? resolveName);
  const method = body === undefined ? "GET" : "POST";
  const options = { method, headers, lookup, signal, agent: false, maxHeaderSize: maxHeaderBytes };
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = open(asked.url, options, resolve);
    sent.on("error", reject);
    sent.end(body);
  });
  try {
    return { status: received.statusCode ?? 0, body: parsed(await readBody(received)) };
  } finally {
    received.destroy();
  }
}
