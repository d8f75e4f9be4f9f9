import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { isSignedInBrowser } from "@/lib/access/consumer-tokens";
import { readAddress, unreadable } from "@/lib/features/views/addresses";
import type { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import {
  anonymousRejection,
  countAnonymous,
  tooManyRequests,
  widestNetwork,
} from "./address-limits";
import { isNegotiated, withoutSecrets } from "./framing";
import { guardPage } from "./page-policy";
import { overloaded } from "./reject";
import { redirect, rejectPage } from "./reject-page";
import { replaceFailedPages } from "./replaced-pages";
import { awaitRest, bodyTimeOut, hasBody, isFull, startOfBody } from "./request-bodies";
import type { Client, PageVisit, ServerState } from "./state";

/** The handler of requests outside the interface: Next, in the product. */
export interface Pages {
  request(req: IncomingMessage, res: ServerResponse): Promise<void> | void;
  upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** How long a page with a slow reader keeps its place. One that is still being rendered keeps it, because it uses the CPU. */
const maxHeldMs = 5000;

/** Files of the build: cheap, immutable, and part of every page. */
const isAsset = (url: string | undefined): boolean => url?.startsWith("/_next/static/") === true;

/** Removes headers that Next trusts from any client. */
function dropForwarded(req: IncomingMessage): void {
  const isForwarded = (name: string) => name === "forwarded" || name.startsWith("x-forwarded-");
  for (const name of Object.keys(req.headers)) if (isForwarded(name)) delete req.headers[name];
  const raw = req.rawHeaders;
  const kept = raw.filter((_, i) => !isForwarded((raw[i - (i % 2)] ?? "").toLowerCase()));
  raw.splice(0, raw.length, ...kept);
}

const routerState = "next-router-state-tree";

/** Removes the state of Next's router if it is not a JSON list, for which Next would respond 500. Without it the whole page is sent. */
function dropUnreadableState({ headers }: IncomingMessage): void {
  const sent = headers[routerState];
  if (sent === undefined) return;
  try {
    if (Array.isArray(JSON.parse(decodeURIComponent(String(sent))))) return;
  } catch {
    // No JSON.
  }
  delete headers[routerState];
}

/** Measures a body without a Content-Length while it arrives, because the pages do not. */
function limitBody(req: IncomingMessage, max: number): void {
  const push = req.push;
  let size = 0;
  req.push = (chunk: Buffer | null, encoding) => {
    size += chunk?.length ?? 0;
    if (size <= max) return push.call(req, chunk, encoding);
    req.socket.destroy();
    return false;
  };
}

/** Releases the visit's place, once. */
function leave(state: ServerState, visit: PageVisit): void {
  if (visit.heldSince === undefined) return;
  state.admission.release(visit.loadClass, performance.now() - visit.heldSince);
  visit.heldSince = undefined;
}

async function countIfAnonymous(
  state: ServerState,
  { req, client, loadClass }: PageVisit,
): Promise<void> {
  if (loadClass === "pages" && !(await isSignedInBrowser(req.headers.cookie)))
    countAnonymous(state, client);
}

/** Passes an admitted request to the pages. Others may use its place while its body arrives. */
function runPage(state: ServerState, pages: Pages, visit: PageVisit): void {
  const { req, res, loadClass } = visit;
  visit.heldSince = performance.now();
  if (res.destroyed) {
    leave(state, visit);
    return;
  }
  if (hasBody(req) && !req.complete) {
    visit.body = startOfBody(req, performance.now());
    visit.heldSince = undefined;
    state.admission.pause(loadClass);
    awaitRest(state, { req, res, body: visit.body, cutOff: () => req.socket.destroy() });
    req.once("end", () => {
      if (res.destroyed || res.writableEnded) return;
      visit.heldSince = performance.now();
      state.admission.resume(loadClass);
    });
  }
  res.once("prefinish", () => leave(state, visit));
  if (req.headers.expect !== undefined) res.writeContinue();
  if (loadClass === "pages") replaceFailedPages(req, res);
  Promise.resolve(pages.request(req, res)).catch((error: unknown) => {
    log().error({ err: error }, "a page failed");
    res.destroy();
  });
}

function reject(visit: PageVisit, error: ApiError): void {
  if (!visit.res.destroyed) rejectPage(visit.req, visit.res, error);
}

function admitPage(state: ServerState, pages: Pages, visit: PageVisit): void {
  state.admission.admit(
    visit.loadClass,
    () => runPage(state, pages, visit),
    () => reject(visit, overloaded()),
    widestNetwork(visit.client),
  );
}

function openVisit(
  state: ServerState,
  req: IncomingMessage,
  res: ServerResponse,
  client: Client,
): PageVisit {
  const visit: PageVisit = {
    req,
    res,
    client,
    loadClass: isAsset(req.url) ? "assets" : "pages",
    body: undefined,
    heldSince: undefined,
  };
  state.visits.add(visit);
  state.pages.add(res);
  res.once("close", () => {
    state.visits.delete(visit);
    state.pages.delete(res);
    leave(state, visit);
  });
  return visit;
}

interface Arrived {
  req: IncomingMessage;
  res: ServerResponse;
  client: Client;
  trusted: BlockList | undefined;
}

/** Counts the request for its address while it lasts, or returns why it cannot be started. */
function loadRejection(state: ServerState, { res, client }: PageVisit): ApiError | undefined {
  if (!state.addresses.acquire("requests", client.networks)) return tooManyRequests();
  res.once("close", () => state.addresses.release("requests", client.networks));
  return isFull(state) ? overloaded() : undefined;
}

/** The address of a page without the parameters that it cannot read; undefined if it can read all. */
function readableAddress({ method, url = "/" }: IncomingMessage): string | undefined {
  const mark = url.indexOf("?");
  if (mark < 0 || (method !== "GET" && method !== "HEAD") || /^\/(?:_next|api)\//.test(url))
    return undefined;
  const given = new URLSearchParams(url.slice(mark));
  if (unreadable(given).length === 0) return undefined;
  const query = readAddress(given).toString();
  return url.slice(0, mark) + (query && `?${query}`);
}

/** Passes a request to the pages with the same id and address as for the interface. */
export function openPage(
  state: ServerState,
  pages: Pages,
  { req, res, client, trusted }: Arrived,
): void {
  if (state.isStopping) res.shouldKeepAlive = false;
  const visit = openVisit(state, req, res, client);
  res.setHeader("X-Service-Request-Id", String(req.headers["x-service-request-id"]));
  if (isNegotiated(req.url)) res.appendHeader("Vary", "Accept");
  const clean = withoutSecrets(req.url ?? "");
  if (clean !== undefined) {
    redirect(res, clean);
    return;
  }
  guardPage(req, res);
  if (!trusted) dropForwarded(req);
  dropUnreadableState(req);
  if (req.headers["transfer-encoding"] !== undefined) limitBody(req, state.limits.body);
  const error = loadRejection(state, visit);
  const address = error ? undefined : readableAddress(req);
  if (address !== undefined) {
    res.writeHead(307, { Location: address, "Cache-Control": "no-store" }).end();
    return;
  }
  const anonymous =
    error || visit.loadClass === "assets" ? undefined : anonymousRejection(state, req, client);
  if (error) reject(visit, error);
  else if (anonymous)
    void anonymous.then((limited) =>
      limited ? reject(visit, limited) : admitPage(state, pages, visit),
    );
  else {
    void countIfAnonymous(state, visit);
    admitPage(state, pages, visit);
  }
}

/** Rejects bodies of pages that arrive too slowly, and releases the places of responses that are read slowly. */
export function sweepPages(state: ServerState, now: number): void {
  for (const visit of state.visits) {
    const { req, res, body, heldSince } = visit;
    if (body && !req.complete && bodyTimeOut(state, req, body, now)) req.socket.destroy();
    else if (heldSince !== undefined && res.headersSent && now - heldSince > maxHeldMs) {
      visit.heldSince = undefined;
      state.admission.pause(visit.loadClass);
    }
  }
}
