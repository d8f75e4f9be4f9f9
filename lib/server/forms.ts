import type { IncomingMessage, ServerResponse } from "node:http";
import { checkSameOrigin } from "@/lib/http/origin";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { setHeader } from "./headers";
import type { Pages } from "./pages";
import { redirect, rejectPage } from "./reject-page";
import { findRoute, handlerOf, type RouteTable } from "./routes";

/*
 * Forms that a browser sends natively: without scripts, or before the page's scripts run.
 *
 *   POST /sign-in -+- public form ----> submit() -+- 303 elsewhere
 *                  |                              +- the page again, rendered as for GET, with the form's outcome
 *                  +- any other form -> 303 to the page: nothing that was typed reaches an address
 *                  +- anything else --> 405: pages are only read
 *
 * There are no Server Actions, so requests that Next would handle as one do not reach it.
 */

interface Answered {
  status: number;
  headers: Headers;
  body: Readonly<Record<string, unknown>>;
}

type Send = (
  operation: string,
  given: { tenant?: string; body?: unknown; sessionId?: string; asBrowser?: boolean },
) => Promise<Answered>;

/** The forms of the product; `submit` gets the typed fields and a function to call an operation. */
export interface Forms {
  /** The header with the outcome of a page's form. */
  header: string;
  isForm: (path: string) => boolean;
  submit: (sent: {
    path: string;
    query: URLSearchParams;
    fields: URLSearchParams;
    headers: Headers;
    send: Send;
  }) => Promise<{ location?: string; form?: { problem?: { status: number } }; cookie?: string }>;
}

const maxFormBytes = 16 * 1024;
const formType = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;
/** The paths of Next and next-auth, which handle them. */
const isFrameworks = (path: string) => /^\/(?:api|_next|__next[\w-]*)(?:\/|$)/.test(path);

async function readFields(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxFormBytes)
      throw new ApiError("request.body-too-large", "The form is too large.", String(maxFormBytes));
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/** The browser's headers that are passed to an operation called for a form. */
const passedOn = ["user-agent", "x-gatehouse-peer", "x-service-request-id"];
const ofBrowser = ["cookie", "origin", "sec-fetch-site"];

/** The methods with which browsers and the router of Next request pages. */
const readingMethods: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Why a request is not passed to Next; undefined if it is. */
function rejectionOf({ method, headers }: IncomingMessage, path: string): ApiError | undefined {
  if (readingMethods.has(method)) return undefined;
  if (!isFrameworks(path))
    return new ApiError(
      "request.method-not-allowed",
      `${method} is not supported here. Use GET.`,
      "GET, HEAD",
      { headers: { Allow: "GET, HEAD" } },
    );
  const isAction =
    headers["next-action"] !== undefined || /^multipart\//i.test(headers["content-type"] ?? "");
  const type = "application/x-www-form-urlencoded";
  return isAction
    ? new ApiError("request.unsupported-media-type", `Send the body as ${type}.`, type)
    : undefined;
}

/** Calls operations through their handlers; over HTTP in development, which has no route table. */
function sender(req: IncomingMessage, routes: RouteTable | undefined): Send {
  return async (operation, { tenant, body, sessionId, asBrowser }) => {
    const [method = "GET", path = "/"] = operation.split(" ");
    const headers = new Headers({ Accept: "application/json" });
    for (const name of [...passedOn, ...(asBrowser ? ofBrowser : [])]) {
      const value = req.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    // Encoded, because the typed text may have line breaks or letters that a header cannot contain; tenant ids have neither.
    if (tenant !== undefined) headers.set("X-Service-Tenant", encodeURIComponent(tenant));
    if (sessionId !== undefined) headers.set("X-Service-Session-Id", sessionId);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const request = new Request(`http://127.0.0.1:${req.socket.localPort}${path}`, init);
    const route = routes ? findRoute(routes, path) : undefined;
    const response = await (route ? handlerOf(method, route.handlers)(request) : fetch(request));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? {} : JSON.parse(text),
    };
  };
}

/** A 401 would need an HTTP authentication scheme that a browser supports. */
const statusOf = (problem: { status: number } | undefined) =>
  problem === undefined ? 200 : problem.status === 401 ? 403 : problem.status;

/** Lets the page be rendered with the outcome of its form. */
function asPage(req: IncomingMessage, res: ServerResponse, header: string, form: object): void {
  req.method = "GET";
  for (const name of ["content-type", "content-length", "transfer-encoding", "next-action", "rsc"])
    delete req.headers[name];
  setHeader(req, header, encodeURIComponent(JSON.stringify(form)));
  const { writeHead } = res;
  const status = statusOf("problem" in form ? (form.problem as { status: number }) : undefined);
  const own = (given: number, ...rest: unknown[]) =>
    Reflect.apply(writeHead, res, [given === 200 ? status : given, ...rest]);
  Object.assign(res, { writeHead: own });
}

async function submitForm(
  { submit, header }: Forms,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  routes: RouteTable | undefined,
): Promise<"page" | "answered"> {
  const { pathname, searchParams } = new URL(req.url ?? "/", "http://page");
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    if (typeof value === "string") headers.set(name, value);
  // A foreign page must neither sign anybody in nor try passwords through their browser.
  checkSameOrigin(new Request("http://page", { method: "POST", headers }));
  const fields = await readFields(req);
  const sent = { path: pathname, query: searchParams, fields, headers };
  const { location, form, cookie } = await submit({ ...sent, send: sender(req, routes) });
  if (location !== undefined) {
    redirect(res, location, cookie);
    return "answered";
  }
  if (cookie !== undefined) res.appendHeader("Set-Cookie", cookie);
  asPage(req, res, header, form ?? {});
  return "page";
}

/** Handles the forms that a browser sends natively, and passes everything else to the pages. */
export function withForms(pages: Pages, forms: Forms, routes: RouteTable | undefined): Pages {
  return {
    ...pages,
    request: async (req, res) => {
      const [path = "/"] = (req.url ?? "/").split("?");
      const isForm =
        req.method === "POST" &&
        !isFrameworks(path) &&
        formType.test(req.headers["content-type"] ?? "");
      // In development Next also serves the interface.
      const rejection = isForm || !routes ? undefined : rejectionOf(req, path);
      if (rejection) return rejectPage(req, res, rejection);
      if (!isForm) return pages.request(req, res);
      if (!forms.isForm(path)) return redirect(res, req.url ?? "/");
      try {
        if ((await submitForm(forms, { req, res }, routes)) === "page")
          await pages.request(req, res);
      } catch (error) {
        if (res.headersSent) throw error;
        const isKnown = error instanceof ApiError;
        if (!isKnown) log().error({ err: error }, "a form failed");
        const failed = new ApiError("server.internal-error", "Something failed on our side.");
        rejectPage(req, res, isKnown ? error : failed);
      }
    },
  };
}
