import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "@/lib/database/data-dir";
import { errorResponse } from "@/lib/http/error-response";
import { withoutAddedHeaders, withUnreportedContext } from "@/lib/http/request-context";
import { type Endpoint, isStreamed } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];
export const isMethod = (method: string | undefined): method is Method =>
  methods.includes(method as Method);

/** A handler created by `route()` has its declaration. */
export type Handler = ((request: Request, context?: unknown) => Promise<Response> | Response) & {
  endpoint?: Endpoint;
};
export type Handlers = Record<Method, Handler>;

/** `template` is the path as the contract writes it: `/v1/user/{userId}/roles`. */
export interface Route {
  template: string;
  handlers: Handlers;
}

/** The operation of a request, where there is one. */
export const endpointOf = (
  route: Route | undefined,
  method: string | undefined,
): Endpoint | undefined => (isMethod(method) ? route?.handlers[method].endpoint : undefined);

/** Whether the operation reads its body itself, line by line. */
export function readsLines(route: Route | undefined, method: string | undefined): boolean {
  const declared = endpointOf(route, method);
  return declared !== undefined && isStreamed(declared);
}

/** The largest body of the request: `max`, where its operation does not read it line by line. */
export const maxBody = (route: Route | undefined, method: string | undefined, max: number) =>
  readsLines(route, method) ? (endpointOf(route, method)?.limits.body ?? max) : max;

interface Node {
  fixed: Map<string, Node>;
  one?: Node;
  rest?: Route;
  route?: Route;
}

export interface RouteTable {
  /** Paths without a variable part: the usual case needs one lookup. */
  fixed: Map<string, Route>;
  root: Node;
}

const isGroup = (segment: string) => segment.startsWith("(") && segment.endsWith(")");

function toTemplate(segments: string[]): string {
  const words = segments.map((segment) =>
    segment.replace(/^\[(?:\[?\.\.\.)?([^\]]+)\]\]?$/, "{$1}"),
  );
  return `/${words.join("/")}`;
}

/** Puts one route into the table under its folder's segments, with Next's meaning of [one], [...rest] and [[...rest]]. */
function insert(table: RouteTable, segments: string[], handlers: Handlers): void {
  const route = { template: toTemplate(segments), handlers };
  let node = table.root;
  for (const segment of segments) {
    if (segment.startsWith("[[...")) node.route ??= route;
    if (segment.startsWith("[[...") || segment.startsWith("[...")) {
      node.rest = route;
      return;
    }
    const next: Node = (segment.startsWith("[") ? node.one : node.fixed.get(segment)) ?? {
      fixed: new Map(),
    };
    if (segment.startsWith("[")) node.one = next;
    else node.fixed.set(segment, next);
    node = next;
  }
  node.route = route;
  if (!route.template.includes("{")) table.fixed.set(route.template, route);
}

function asHandlers(file: string, module: unknown): Handlers {
  const exported = module as Partial<Handlers>;
  const missing = methods.filter((method) => typeof exported[method] !== "function");
  if (missing.length > 0)
    throw new Error(
      `${file} does not export ${missing.join(", ")}: build its exports with methods().`,
    );
  return exported as Handlers;
}

/** A table of modules by their file `…/route.ts`, whose folders are the route, as in Next. */
export function routeTable(
  modules: Iterable<readonly [file: string, module: unknown]>,
): RouteTable {
  const table: RouteTable = { fixed: new Map(), root: { fixed: new Map() } };
  for (const [file, module] of modules) {
    const folders = file.split(/[\\/]/).slice(0, -1);
    const segments = folders.filter((folder) => !isGroup(folder));
    insert(table, segments, asHandlers(file, module));
  }
  return table;
}

/** Reads every `route.ts` below `folder`. Those under api/ belong to Next and are served by it. */
export async function loadRoutes(
  folder: string,
  load: (file: string) => Promise<unknown>,
): Promise<RouteTable> {
  const files = (await readdir(folder, { recursive: true })).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const found = files.filter((file) => /(?:^|\/)route\.ts$/.test(file) && !file.startsWith("api/"));
  return routeTable(
    await Promise.all(found.map(async (file) => [file, await load(join(folder, file))] as const)),
  );
}

/** Every route of the interface, as built. */
export async function builtRoutes(): Promise<RouteTable> {
  const { routes } = await import(pathToFileURL(join(projectRoot(), ".server", "routes.mjs")).href);
  return routeTable(routes);
}

function search(node: Node, segments: string[], from: number): Route | undefined {
  const segment = segments[from];
  if (segment === undefined) return node.route;
  const fixed = node.fixed.get(segment);
  const deeper =
    (fixed && search(fixed, segments, from + 1)) ??
    (node.one && segment !== "" ? search(node.one, segments, from + 1) : undefined);
  return deeper ?? node.rest;
}

/** The most specific route of a path: fixed segments before [one] before [...rest]. Segments are compared as sent. */
export function findRoute(table: RouteTable, path: string): Route | undefined {
  return table.fixed.get(path) ?? search(table.root, path.slice(1).split("/"), 0);
}

/** Node's parser accepts methods that no operation has; the resource then responds with its own methods. */
function methodNotAllowed(method: string | undefined, handlers: Handlers): Handler {
  return withUnreportedContext(async (request, context) => {
    const options = await handlers.OPTIONS(request, withoutAddedHeaders(context));
    const allow = options.headers.get("allow");
    if (allow === null) return options;
    return errorResponse(
      new ApiError(
        "request.method-not-allowed",
        `The resource does not support ${method}.`,
        allow,
        { headers: { Allow: allow } },
      ),
      request,
      context,
    );
  });
}

/** The handler of a resource's method. */
export const handlerOf = (method: string | undefined, handlers: Handlers): Handler =>
  isMethod(method) ? handlers[method] : methodNotAllowed(method, handlers);
