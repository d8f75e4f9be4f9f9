import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { hashPatiently } from "@/lib/access/hashing";
import { projectRoot } from "@/lib/database/data-dir";
import { loadRoutes, type RouteTable } from "@/lib/server/routes";
import { type RunningServer, type ServerOptions, startServer } from "@/lib/server/serve";
import { assertDeclared } from "./declared-responses";
import { withObservedHandlers, writeObservedResponses } from "./observed-responses";

/** A response with its body read: JSON, or undefined for another type. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any;
}

export interface Sent {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

export type Send = (operation: string, sent?: Sent) => Promise<Answered>;

/** Sends to a server: requests travel over HTTP. */
export function sendTo(url: string): Send {
  return async (operation, { headers = {}, body, raw } = {}) => {
    const [method = "GET", path = "/"] = operation.split(" ");
    const json = body === undefined ? undefined : { "Content-Type": "application/json" };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...json, ...headers },
      redirect: "manual",
      ...(body === undefined && raw === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
}

/** The same, and throws for a response whose status or code its operation does not declare, or whose tag a proxy may weaken. */
function sendAndCheck(url: string, routes: RouteTable): Send {
  const send = sendTo(url);
  return async (operation, sent) => {
    const answered = await send(operation, sent);
    const { status, headers, body } = answered;
    const [method = "GET", path = "/"] = operation.split(" ");
    const code = status >= 400 ? body?.code : undefined;
    assertDeclared(routes, { method, url: `${url}${path}`, status, code });
    if (headers.has("etag") && !headers.get("cache-control")?.includes("no-transform"))
      throw new Error(`${operation} has an ETag and lets proxies make it weak.`);
    return answered;
  };
}

/** Starts the server with the real routes for the tests of one file. `url()` is for requests that `Send` cannot express. */
export function testServer(
  options: Pick<ServerOptions, "trusted" | "limits"> = {},
): Send & { url(): string } {
  let server: RunningServer | undefined;
  let checked: Send | undefined;
  beforeAll(async () => {
    const routes = await loadRoutes(join(projectRoot(), "app"), async (file) =>
      withObservedHandlers(await import(/* @vite-ignore */ file)),
    );
    // One process is every client of a test, so the limits of an address are raised: their own tests set them. So is the queue's
    // timeout: on a busy machine simultaneous requests have to wait.
    const limits = { anonymousPerMinute: 1_000_000, queueMs: 60_000, ...options.limits };
    hashPatiently();
    server = await startServer({ port: 0, routes, ...options, limits });
    checked = sendAndCheck(server.url, routes);
  });
  afterAll(async () => {
    await server?.close();
    writeObservedResponses();
  });
  const send: Send = (operation, sent) => (checked ?? sendTo(""))(operation, sent);
  return Object.assign(send, { url: () => server?.url ?? "" });
}
