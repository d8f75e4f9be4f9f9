import { METHODS, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { errorResponse } from "@/lib/http/error-response";
import { ApiError } from "@/lib/protocol/errors";
import { takeTurns } from "@/lib/protocol/take-turns";
import { answerBroken } from "./exchange";
import { pageMethodNotAllowed } from "./framing";
import { newRequestId, securityHeaders } from "./headers";
import type { ServerState } from "./state";

const lingerMs = 1000;
/** If the process was suspended for more than this share of the time, a late request is not the client's fault. */
const maxLostShare = 0.1;
const rejected = new WeakSet<Duplex>();

/** The 503 for requests under overload. */
export function overloaded(): ApiError {
  return new ApiError(
    "server.overloaded",
    "The server has too much to do. Try again in a second.",
    undefined,
    {
      headers: { "Retry-After": "1" },
    },
  );
}

/** An unreadable request still gets the standard error body, and a request id. */
function unreadable() {
  const requestId = newRequestId();
  return {
    method: "GET",
    headers: {
      get: (name: string) => (name.toLowerCase() === "x-service-request-id" ? requestId : null),
    },
  };
}

async function rawAnswer(error: ApiError): Promise<string> {
  const response = errorResponse(error, unreadable());
  const body = await response.text();
  const headers = [...response.headers]
    .filter(([name]) => name !== "content-length")
    .map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`, ...headers];
  for (const [name, value] of Object.entries(securityHeaders()))
    if (!response.headers.has(name)) head.push(`${name}: ${value}`);
  head.push(
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    "connection: close",
  );
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Writes an error to a connection on which no request could be read, and closes it a moment later. */
export async function rejectRaw(socket: Duplex, error: ApiError): Promise<void> {
  if (rejected.has(socket)) return;
  rejected.add(socket);
  socket.on("error", () => socket.destroy());
  if (socket.writable) socket.end(await rawAnswer(error));
  // Closing while bytes still arrive would reset the connection, and the client would lose the response.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Problems of a request that the parser could not read. */
const faults: Record<string, string> = {
  HPE_INVALID_HEADER_TOKEN: "A header is not well-formed: its name, its value or its end.",
  HPE_UNEXPECTED_CONTENT_LENGTH:
    "Content-Length may stand once, and not next to Transfer-Encoding.",
  HPE_INVALID_CONTENT_LENGTH: "Content-Length must be a whole number.",
  HPE_INVALID_TRANSFER_ENCODING:
    "The only transfer coding that is supported is chunked, and never next to Content-Length.",
  HPE_INVALID_CHUNK_SIZE: "The size of a chunk is not a hexadecimal number.",
  HPE_INVALID_EOF_STATE: "The request broke off before its end.",
};

const firstLineOf = /^([!#$%&'*+.^_`|~\w-]{1,64}) \/\S* HTTP\/1\.[01]\r?\n/;

/** A method that the parser does not know is not supported here. */
function unreadableRequest(code: string | undefined, packet: Buffer | undefined): ApiError {
  const [, method] = firstLineOf.exec(packet?.toString("latin1") ?? "") ?? [];
  // A known one belongs to an earlier request in the same packet.
  const isUnknown = method !== undefined && !METHODS.includes(method);
  if (code === "HPE_INVALID_METHOD" && isUnknown) return pageMethodNotAllowed(method);
  return new ApiError("request.malformed", faults[code ?? ""] ?? "Only HTTP/1.1 is supported.");
}

/** What the parser's error means to the caller. */
function explain(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  { limits, loop }: ServerState,
): ApiError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const now = performance.now();
    // The client's data may have been waiting for this process to read it.
    if (loop.lostMs(now - limits.headersMs, now) > limits.headersMs * maxLostShare)
      return overloaded();
    return new ApiError("request.body-timed-out", "The request did not arrive in time.");
  }
  if (error.code !== "HPE_HEADER_OVERFLOW") return unreadableRequest(error.code, error.rawPacket);
  const firstLine = error.rawPacket?.subarray(0, limits.target + 16);
  const isTarget =
    firstLine !== undefined &&
    /^[A-Z]+ \//.test(firstLine.toString("latin1")) &&
    !firstLine.includes("\n");
  return isTarget
    ? new ApiError(
        "request.target-too-long",
        `The request target is longer than ${limits.target} bytes.`,
        String(limits.target),
      )
    : new ApiError(
        "request.headers-too-large",
        `The headers are larger than ${limits.headers} bytes.`,
        String(limits.headers),
      );
}

type Unread = readonly [ServerState, NodeJS.ErrnoException, Duplex];

let late: Unread[] = [];

/** Thousands of slow connections can time out in one turn of the event loop: rejecting all at once would block it for most of a second. */
async function rejectLate(): Promise<void> {
  const turn = takeTurns();
  try {
    for (const one of late) {
      await turn();
      onUnread(...one);
    }
  } finally {
    late = [];
  }
}

/** The parser, or its timer, gave up on a connection. */
export function onClientError(...one: Unread): void {
  const [, { code }] = one;
  if (code !== "ERR_HTTP_REQUEST_TIMEOUT") onUnread(...one);
  else if (late.push(one) === 1) void rejectLate();
}

/** Pending responses are sent first; a request whose body could not be read gets its response through its exchange. */
function onUnread(state: ServerState, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    if (!rejected.has(socket)) socket.destroy();
    return;
  }
  // Only the first of several pipelined responses has the socket; every request has it.
  const [exchange] = [...state.open]
    .filter(({ req }) => req.socket === socket)
    .sort((a, b) => b.context.startedAt - a.context.startedAt);
  const page = [...state.pages].findLast(({ req }) => req.socket === socket);
  const owed = exchange?.res ?? page;
  if (exchange && !exchange.req.complete && !exchange.isAnswered)
    answerBroken(state, exchange, explain(error, state));
  else if (page && !page.req.complete) socket.destroy();
  else if (!owed || owed.writableFinished) void rejectRaw(socket, explain(error, state));
  else owed.once("finish", () => void rejectRaw(socket, explain(error, state)));
}
