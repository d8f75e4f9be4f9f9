import { createHmac } from "node:crypto";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { ApiError } from "@/lib/protocol/errors";
import { cut } from "@/lib/protocol/text";
import { type Attempt, attempted, maxSendMs, problemOfBody } from "./attempt";
import { checkedLookup, type Resolve, resolveName, urlProblem } from "./target";

/** The secrets that sign a delivery: the current one, and the previous one while it is valid. */
export type SigningSecrets = readonly Buffer[];

const prefix = "whsec_";

/** The secret in the Standard Webhooks format, as shown to its owner. */
export const secretText = (secret: Buffer): string => `${prefix}${secret.toString("base64")}`;

/** The headers of Standard Webhooks: one signature for each secret, so that a receiver may switch secrets at any time. */
export function signatureHeaders(
  secrets: SigningSecrets,
  id: string,
  sentAt: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${mac}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Throws 409 while the previous secret is still valid: a second rotation would break receivers that still verify with it. */
export function assertNoRotation(
  code: "webhook.rotation-in-progress" | "audit-stream.rotation-in-progress",
  previousValidTo: Date | null,
): void {
  if (previousValidTo === null || previousValidTo <= new Date()) return;
  const until = previousValidTo.toISOString();
  const detail = `The secret before the last rotation is valid until ${until}. Rotate after that, or send "force": true to end it now.`;
  throw new ApiError(code, detail, until);
}

const maxResponseBytes = 4096;
const maxShownCharacters = 1024;
const maxHeaderBytes = 8192;

export interface Destination {
  url: string;
  /** PEM of the certificate authorities to trust, instead of the public ones. */
  ca?: string | undefined;
  /** Reuses connections for the next delivery. */
  agent?: PlainAgent | TlsAgent | undefined;
  /** The DNS resolver; tests may replace it. */
  resolve?: Resolve;
  /** Aborts the attempt; by default after ten seconds. */
  signal?: AbortSignal;
}

interface Message {
  method: "POST" | "PUT";
  headers: Record<string, string>;
  body: string;
}

/** Connections to one endpoint, kept for a short while. */
export const agentFor = (url: string, maxSockets: number): PlainAgent | TlsAgent => {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: 15_000 };
  return url.startsWith("https:") ? new TlsAgent(options) : new PlainAgent(options);
};

interface Beginning {
  response: string;
  /** Why the body is incomplete. */
  problem?: string;
}

/** The beginning of the response. The rest of a long response is not read. */
async function readBeginning(received: IncomingMessage, signal: AbortSignal): Promise<Beginning> {
  const parts: Buffer[] = [];
  const read = () => {
    const bytes = Buffer.concat(parts).subarray(0, maxResponseBytes);
    // A text column cannot store zero bytes.
    return cut(bytes.toString("utf8").replaceAll("\0", ""), maxShownCharacters, "");
  };
  let length = 0;
  try {
    for await (const part of received as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= maxResponseBytes) break;
    }
  } catch {
    return { response: read(), problem: problemOfBody(signal.aborted) };
  }
  return { response: read() };
}

function request(
  to: Destination,
  { method, headers: given, body }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const open = to.url.startsWith("https:") ? tlsRequest : plainRequest;
  const headers = { ...given, "content-length": Buffer.byteLength(body) };
  const lookup = checkedLookup(to.resolve ?? resolveName);
  const ca = to.ca === undefined ? {} : { ca: to.ca };
  const options = { method, agent: to.agent ?? false, lookup, signal, headers, ...ca };
  const once = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = open(to.url, { ...options, maxHeaderSize: maxHeaderBytes }, resolve);
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a reused connection just as this request was sent on it.
        if (sent.reusedSocket && error.code === "ECONNRESET") once().then(resolve, reject);
        else reject(error);
      });
      sent.end(body);
    });
  return once();
}

function problemOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400
    ? "The response is a redirect, which is not followed."
    : `The response is ${status}.`;
}

/** Sends a message once. Never throws: whatever happens is the outcome of the attempt. */
export const send = (to: Destination, message: Message): Promise<Attempt> =>
  attempted(async () => {
    // The rules may be stricter than when the URL was accepted, and a literal address is never looked up.
    const forbidden = urlProblem(to.url);
    if (forbidden !== undefined) return { problem: `The URL ${forbidden}.` };
    const signal = to.signal ?? AbortSignal.timeout(maxSendMs);
    const received = await request(to, message, signal);
    const status = received.statusCode ?? 0;
    const contentType = received.headers["content-type"];
    const { response, problem: problemOfEnd } = await readBeginning(received, signal);
    const problem = problemOfStatus(status) ?? problemOfEnd;
    return {
      status,
      ...(contentType === undefined ? {} : { contentType: cut(contentType, 128, "") }),
      ...(response === "" ? {} : { response }),
      ...(problem === undefined ? {} : { problem }),
      isDelivered: problem === undefined,
    };
  });
