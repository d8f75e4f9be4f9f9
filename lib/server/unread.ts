import { IncomingMessage, type ServerResponse } from "node:http";
import type { Limits } from "./limits";

const lingerMs = 1000;

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** A request of the server: it reports once when somebody begins to read its body, whether or not anything of it has arrived. */
export class WatchedRequest extends IncomingMessage {
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

/** Says "100 Continue" when somebody begins to read the body, and never when it is rejected unread. */
export function continueOnRead(req: WatchedRequest, res: ServerResponse): void {
  req.onFirstRead(() => {
    if (!res.headersSent) res.writeContinue();
  });
}

/** Throws away what still arrives of a body, until its end, `most` bytes or a second. Returns whether it came to its end. */
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
    // In place of push: a stream that its reader cancelled takes no more, and would stop the socket.
    req.push = (chunk: Buffer | null) => {
      size += chunk?.length ?? 0;
      if (chunk === null || size > max) setImmediate(stop);
      return true;
    };
    res.socket?.resume();
  });
}

/**
 * Sends the answer to a request whose body has not been read to its end. A small rest is read and the connection kept.
 * Otherwise the connection closes, but only after the client had a moment to read: closing on bytes
 * that are still arriving resets the connection and takes the answer with it.
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
