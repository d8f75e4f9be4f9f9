import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { isSignedInBrowser } from "@/lib/access/known-credential";
import type { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { awaitRest, isFull } from "./arriving";
import { bodyTimeOut, startOfBody } from "./body-arrival";
import { anonymousRefusal, countAnonymous, tooManyRequests, widestNetwork } from "./clients";
import { answerProgramsInJson } from "./missing-page";
import { guardPage } from "./page-policy";
import { overloaded } from "./refuse";
import { refusePage } from "./refuse-page";
import type { Client, Desk, PageVisit } from "./state";
import { hasBody } from "./unread";

/** Who answers what is not the interface: Next, in the product. */
export interface Pages {
  request(req: IncomingMessage, res: ServerResponse): Promise<void> | void;
  upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A page whose client reads slowly keeps its place no longer. One that is still rendered does: it uses the processor. */
const maxHeldMs = 5000;

/** Files of the build: cheap, immutable, and asked for by whoever opens any page. */
const isAsset = (url: string | undefined): boolean => url?.startsWith("/_next/static/") === true;

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

/** Gives the visit's place back, once. */
function leave(desk: Desk, visit: PageVisit): void {
  if (visit.heldSince === undefined) return;
  desk.admission.leave(visit.loadClass, performance.now() - visit.heldSince);
  visit.heldSince = undefined;
}

async function countIfAnonymous(desk: Desk, { req, client, loadClass }: PageVisit): Promise<void> {
  if (loadClass === "pages" && !(await isSignedInBrowser(req.headers.cookie)))
    countAnonymous(desk, client);
}

/** Hands an admitted request to the pages. Its place is given to others while its body is on its way. */
function runPage(desk: Desk, pages: Pages, visit: PageVisit): void {
  const { req, res, loadClass } = visit;
  visit.heldSince = performance.now();
  if (res.destroyed) {
    leave(desk, visit);
    return;
  }
  if (hasBody(req) && !req.complete) {
    visit.body = startOfBody(req, performance.now());
    visit.heldSince = undefined;
    desk.admission.pause(loadClass);
    awaitRest(desk, { req, res, body: visit.body, cutOff: () => req.socket.destroy() });
    req.once("end", () => {
      if (res.destroyed || res.writableEnded) return;
      visit.heldSince = performance.now();
      desk.admission.resume(loadClass);
    });
  }
  res.once("prefinish", () => leave(desk, visit));
  if (req.headers.expect !== undefined) res.writeContinue();
  if (loadClass === "pages") answerProgramsInJson(req, res);
  Promise.resolve(pages.request(req, res)).catch((error: unknown) => {
    log().error({ err: error }, "a page failed");
    res.destroy();
  });
}

function refuse(visit: PageVisit, error: ApiError): void {
  if (!visit.res.destroyed) refusePage(visit.req, visit.res, error);
}

function admitPage(desk: Desk, pages: Pages, visit: PageVisit): void {
  desk.admission.enter(
    visit.loadClass,
    () => runPage(desk, pages, visit),
    () => refuse(visit, overloaded()),
    widestNetwork(visit.client),
  );
}

function openVisit(
  desk: Desk,
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
  desk.visits.add(visit);
  desk.pages.add(res);
  res.once("close", () => {
    desk.visits.delete(visit);
    desk.pages.delete(res);
    leave(desk, visit);
  });
  return visit;
}

interface Arrived {
  req: IncomingMessage;
  res: ServerResponse;
  client: Client;
  trusted: BlockList | undefined;
}

/** Counts the request for its address while it lasts, or says why it cannot be begun. */
function loadRefusal(desk: Desk, { res, client }: PageVisit): ApiError | undefined {
  if (!desk.addresses.acquire("requests", client.networks)) return tooManyRequests();
  res.once("close", () => desk.addresses.release("requests", client.networks));
  return isFull(desk) ? overloaded() : undefined;
}

/** Hands a request to the pages with the same id and the same one address that the interface sees. */
export function openPage(desk: Desk, pages: Pages, { req, res, client, trusted }: Arrived): void {
  if (desk.isStopping) res.shouldKeepAlive = false;
  const visit = openVisit(desk, req, res, client);
  res.setHeader("X-Service-Request-Id", String(req.headers["x-service-request-id"]));
  guardPage(req, res);
  if (!trusted) dropForwarded(req);
  if (req.headers["transfer-encoding"] !== undefined) limitBody(req, desk.limits.body);
  const error = loadRefusal(desk, visit);
  const anonymous =
    error || visit.loadClass === "assets" ? undefined : anonymousRefusal(desk, req, client);
  if (error) refuse(visit, error);
  else if (anonymous)
    void anonymous.then((limited) =>
      limited ? refuse(visit, limited) : admitPage(desk, pages, visit),
    );
  else {
    void countIfAnonymous(desk, visit);
    admitPage(desk, pages, visit);
  }
}

/** Cuts off bodies of pages that arrive too slowly, and takes the places of answers that are read slowly. */
export function sweepPages(desk: Desk, now: number): void {
  for (const visit of desk.visits) {
    const { req, res, body, heldSince } = visit;
    if (body && !req.complete && bodyTimeOut(desk, req, body, now)) req.socket.destroy();
    else if (heldSince !== undefined && res.headersSent && now - heldSince > maxHeldMs) {
      visit.heldSince = undefined;
      desk.admission.pause(visit.loadClass);
    }
  }
}
