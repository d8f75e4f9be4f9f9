import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { log } from "@/lib/protocol/log";
import type { Desk } from "./exchange";
import { guardPage } from "./page-policy";

/** Who answers what is not the interface: Next, in the product. */
export interface Pages {
  request(req: IncomingMessage, res: ServerResponse): Promise<void> | void;
  upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Next believes these wherever they come from. */
function dropForwarded(req: IncomingMessage): void {
  const isForwarded = (name: string) => name === "forwarded" || name.startsWith("x-forwarded-");
  for (const name of Object.keys(req.headers)) if (isForwarded(name)) delete req.headers[name];
  const raw = req.rawHeaders;
  const kept = raw.filter((_, i) => !isForwarded((raw[i - (i % 2)] ?? "").toLowerCase()));
  raw.splice(0, raw.length, ...kept);
}

/** A body without a length is judged while it arrives: nobody behind the door counts. */
function limitBody(req: IncomingMessage, most: number): void {
  const push = req.push;
  let size = 0;
  req.push = (chunk: Buffer | null, encoding) => {
    size += chunk?.length ?? 0;
    if (size <= most) return push.call(req, chunk, encoding);
    req.socket.destroy();
    return false;
  };
}

/** Hands a request to the pages with the same id and the same one address that the interface sees. */
export function openPage(
  desk: Desk,
  pages: Pages,
  req: IncomingMessage,
  res: ServerResponse,
  trusted: BlockList | undefined,
): void {
  if (desk.isStopping) res.shouldKeepAlive = false;
  desk.pages.add(res);
  res.once("close", () => desk.pages.delete(res));
  res.setHeader("X-Service-Request-Id", String(req.headers["x-service-request-id"]));
  guardPage(req, res);
  if (!trusted) dropForwarded(req);
  if (req.headers["transfer-encoding"] !== undefined) limitBody(req, desk.limits.body);
  if (req.headers.expect !== undefined) res.writeContinue();
  Promise.resolve(pages.request(req, res)).catch((error: unknown) => {
    log().error({ err: error }, "a page failed");
    res.destroy();
  });
}
