import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery-attempt";
import { checkedLookup, ForbiddenAddress, type Resolve, resolveName } from "./resolve";
import { type SigningSecrets, signatureHeaders } from "./signature";
import { urlProblem } from "./target";

/** From the lookup of the name to the end of the response. */
export const maxSendMs = 10_000;
const maxResponseBytes = 4096;
const maxShownCharacters = 1024;
const maxHeaderBytes = 8192;

export interface Destination {
  url: string;
  secrets: SigningSecrets;
  /** Keeps connections for the next delivery. */
  agent?: PlainAgent | TlsAgent | undefined;
  /** How names are resolved; by the name servers unless a test says otherwise. */
  resolve?: Resolve;
}

export interface Message {
  eventId: string;
  body: string;
}

export type Attempt = DeliveryAttempt & { isDelivered: boolean };

/** Connections to one endpoint, kept for a short while. */
export const agentFor = (url: string, maxSockets: number): PlainAgent | TlsAgent => {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: 15_000 };
  return url.startsWith("https:") ? new TlsAgent(options) : new PlainAgent(options);
};

/** The beginning of the response. The rest of a long one is not waited for. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length >= maxResponseBytes) break;
  }
  const text = Buffer.concat(parts).subarray(0, maxResponseBytes).toString("utf8");
  // A text column holds no zero byte.
  return text.replaceAll("\0", "").slice(0, maxShownCharacters);
}

function post(to: Destination, { eventId, body }: Message, sentAt: Date) {
  const open = to.url.startsWith("https:") ? tlsRequest : plainRequest;
  const signal = AbortSignal.timeout(maxSendMs);
  const headers = {
    ...signatureHeaders(to.secrets, eventId, sentAt, body),
    "content-type": "application/cloudevents+json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Gatehouse-Webhooks/1",
  };
  const lookup = checkedLookup(to.resolve ?? resolveName);
  const options = { method: "POST", agent: to.agent ?? false, lookup, signal, headers };
  const once = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = open(to.url, { ...options, maxHeaderSize: maxHeaderBytes }, resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The other end closed a connection that was kept, as this was about to be sent on it.
        if (request.reusedSocket && error.code === "ECONNRESET") once().then(resolve, reject);
        else reject(error);
      });
      request.end(body);
    });
  return once();
}

/** Why there is no response, in words that say nothing of the network behind the service. */
function problemOf(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    return "The name leads to a private, local or reserved address.";
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "AbortError" || name === "TimeoutError")
    return `No response within ${maxSendMs / 1000} s.`;
  if (code.startsWith("CERT_") || code.includes("SELF_SIGNED") || code.startsWith("ERR_TLS"))
    return "The certificate is not valid for the host.";
  if (code === "ECONNREFUSED") return "The connection was refused.";
  return "No connection, or one that ended before the response.";
}

function problemOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400
    ? "The response is a redirect, which is not followed."
    : `The response is ${status}.`;
}

/** Sends an event once. Never throws: whatever happens is the outcome of the attempt. */
export async function send(to: Destination, message: Message): Promise<Attempt> {
  const sentAt = new Date();
  const since = performance.now();
  const outcome = (rest: Partial<Attempt>): Attempt => ({
    at: sentAt.toISOString(),
    durationMs: Math.round(performance.now() - since),
    isDelivered: false,
    ...rest,
  });
  // The rules may be stricter than when the URL was accepted, and a literal address is never looked up.
  const forbidden = urlProblem(to.url);
  if (forbidden !== undefined) return outcome({ problem: `The URL ${forbidden}.` });
  try {
    const received = await post(to, message, sentAt);
    const status = received.statusCode ?? 0;
    const contentType = received.headers["content-type"]?.slice(0, 128);
    const response = await readBeginning(received);
    const problem = problemOfStatus(status);
    return outcome({
      status,
      ...(contentType === undefined ? {} : { contentType }),
      ...(response === "" ? {} : { response }),
      ...(problem === undefined ? {} : { problem }),
      isDelivered: problem === undefined,
    });
  } catch (error) {
    return outcome({ problem: problemOf(error) });
  }
}
