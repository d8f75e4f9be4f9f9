import { IncomingMessage, type ServerResponse } from "node:http";
import { ApiError } from "@/lib/protocol/errors";
import type { Limits } from "./limits";
import type { Arriving, ReceivedBody, ServerState, WatchableRequest } from "./state";

/*
 * Requests that wait for the rest of their body cost a socket and a little memory, and no work. They are counted separately, so that
 * slow clients, from any number of networks, use no places of requests in progress.
 */

/** How many are closed at once, so that a flood does not cause a search for each of them. */
const maxCutOff = 32;

/** How many bytes a body lacks for the minimum rate; negative if it is faster. */
const deficit = ({ req, body }: Arriving, { minBodyRate }: Limits, now: number) =>
  (minBodyRate * (now - body.since)) / 1000 - (req.socket.bytesRead - body.bytesBefore);

/** Closes the slowest ones: at least one, more if they are below the minimum rate. */
function cutOffSlowest({ limits }: ServerState, waiting: readonly Arriving[]): void {
  const now = performance.now();
  const behind = waiting
    .map((one) => ({ one, bytes: deficit(one, limits, now) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const [place, { one, bytes }] of behind.slice(0, maxCutOff).entries()) {
    if (place > 0 && bytes <= 0) return;
    one.isCutOff = true;
    one.cutOff();
  }
}

/** Counts a request until its body has arrived or it has ended. Beyond the limit the slowest ones are closed. */
export function awaitRest(state: ServerState, asked: Omit<Arriving, "isCutOff" | "place">): void {
  const arriving = { ...asked, isCutOff: false, place: -1 };
  state.arriving.add(arriving);
  const end = () => state.arriving.delete(arriving);
  arriving.req.once("end", end);
  arriving.req.once("close", end);
  arriving.res.once("close", end);
  if (state.arriving.size <= state.limits.arrivingBodies) return;
  const waiting = [...state.arriving].filter(({ isCutOff }) => !isCutOff);
  if (waiting.length > state.limits.arrivingBodies) cutOffSlowest(state, waiting);
}

/** Whether the process has the maximum number of requests in progress. */
export const isFull = ({ open, visits, arriving, limits }: ServerState): boolean =>
  open.size + visits.size - arriving.size > limits.inProgress;

export const startOfBody = (
  { socket }: IncomingMessage,
  now: number,
  isStreamed = false,
): ReceivedBody => ({
  since: now,
  bytesBefore: socket.bytesRead,
  isStreamed,
});

/** Node's own timeout for a whole request: enough for the longest body that is arriving. */
export function requestTimeoutMs({ arriving, limits }: ServerState): number {
  const isStreaming = [...arriving].some(({ body }) => body.isStreamed);
  return limits.headersMs + (isStreaming ? limits.streamMs : limits.bodyMs);
}

/** The 503 for the slowest body, while too many are arriving. */
export const tooManyBodies = (): ApiError =>
  new ApiError(
    "server.overloaded",
    "Too many bodies are on their way, and this one is the slowest. Try again in a second.",
    undefined,
    { headers: { "Retry-After": "1" } },
  );

/**
 * The 400 for a body that arrives too late or too slowly; undefined while there is time. Time in which this process
 * was suspended does not count, because it could not read.
 */
export function bodyTimeOut(
  { limits, loop }: ServerState,
  { socket }: IncomingMessage,
  body: ReceivedBody,
  now: number,
): ApiError | undefined {
  const elapsedMs = now - body.since - loop.lostMs(body.since, now);
  const maxMs = body.isStreamed ? limits.streamMs : limits.bodyMs;
  const minRate = body.isStreamed ? limits.minStreamRate : limits.minBodyRate;
  if (elapsedMs >= maxMs) {
    return new ApiError(
      "request.body-timed-out",
      `The body did not arrive within ${maxMs / 1000} seconds.`,
    );
  }
  const expectedBytes = (minRate * (elapsedMs - limits.bodyGraceMs)) / 1000;
  if (socket.bytesRead - body.bytesBefore >= expectedBytes) return undefined;
  return new ApiError(
    "request.body-timed-out",
    `The body arrived more slowly than ${minRate} bytes a second.`,
  );
}

const lingerMs = 1000;

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** A request of the server: it reports the first read of its body, whether or not any of it has arrived. */
export class WatchedRequest extends IncomingMessage implements WatchableRequest {
  #report: (() => void) | undefined = undefined;

  onFirstRead(report: () => void): void {
    const earlier = this.#report;
    this.#report = earlier
      ? () => {
          earlier();
          report();
        }
      : report;
  }

  override _read(size: number): void {
    const report = this.#report;
    this.#report = undefined;
    report?.();
    super._read(size);
  }
}

/** Sends "100 Continue" at the first read of the body, and never if it is rejected unread. */
export function continueOnRead(req: WatchableRequest, res: ServerResponse): void {
  req.onFirstRead(() => {
    if (!res.headersSent) res.writeContinue();
  });
}

/** Discards the rest of a body until its end, `most` bytes or a second. Returns whether the end was reached. */
function discardRest(req: IncomingMessage, res: ServerResponse, max: number): Promise<boolean> {
  return new Promise((resolve) => {
    let size = 0;
    const stop = () => {
      clearTimeout(timer);
      res.off("close", stop);
      resolve(req.complete);
    };
    const timer = setTimeout(stop, lingerMs);
    res.once("close", stop);
    // Replaces push: a stream whose reader cancelled accepts nothing more, and would stop the socket.
    req.push = (chunk: Buffer | null) => {
      size += chunk?.length ?? 0;
      if (chunk === null || size > max) setImmediate(stop);
      return true;
    };
    res.socket?.resume();
  });
}

/**
 * Sends the response to a request whose body has not been read to its end. A small rest is read and the connection
 * kept. Otherwise the connection closes, but only after a delay: closing while bytes still arrive resets the
 * connection, and the client loses the response.
 */
export async function sendUnread(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Response,
  limits: Limits,
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const length = Number(req.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (length > limits.drain || req.headers.expect !== undefined) res.shouldKeepAlive = false;
  const headers = [...answer.headers].filter(([name]) => name !== "content-length");
  const sized =
    answer.status === 204 || answer.status === 304
      ? headers
      : [...headers, ["content-length", String(body.length)]];
  res.writeHead(answer.status, sized.flat());
  if (body.length > 0 && req.method !== "HEAD") res.write(body);
  else res.flushHeaders();
  const isWhole = req.complete || (await discardRest(req, res, limits.body));
  const { socket } = res;
  res.end(isWhole ? undefined : () => socket?.destroySoon());
}
