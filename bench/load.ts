import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { lengthOf } from "./response";

export interface LoadRequest {
  method: string;
  /** If there are several, each connection uses a different one. */
  path: string | string[];
  headers: Record<string, string>;
  /** `{n}` is replaced by a number that is unique to the request. */
  body?: string;
  /** A JSON file with bodies that can be sent only once: each request takes the next one, continuing after the previous run. */
  bodyFile?: string;
}

export interface LoadOrder {
  url: string;
  request: LoadRequest;
  connections: number;
  seconds: number;
  /** Ends after this many requests if they take less time. */
  requests?: number;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  firstFailure?: string;
}

interface Tally {
  times: number[];
  statuses: Record<string, number>;
  firstFailure?: string;
}

let onceOnly: { bodies: string[]; next: number } | undefined;

const placeIn = (bodyFile: string) => `${bodyFile}.next`;

function takeOnce(bodyFile: string): string | undefined {
  onceOnly ??= {
    bodies: JSON.parse(readFileSync(bodyFile, "utf8")),
    next: existsSync(placeIn(bodyFile)) ? Number(readFileSync(placeIn(bodyFile), "utf8")) : 0,
  };
  const { bodies, next } = onceOnly;
  onceOnly.next += 1;
  return bodies[next % bodies.length];
}

function bodyOf({ body, bodyFile }: LoadRequest, n: number): string | undefined {
  if (bodyFile === undefined) return body?.replaceAll("{n}", String(n));
  return takeOnce(bodyFile);
}

function text(request: LoadRequest, path: string, host: string, n: number): string {
  const { method, headers } = request;
  const sent = bodyOf(request, n);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (sent !== undefined)
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(sent)}`);
  return `${lines.join("\r\n")}\r\n\r\n${sent ?? ""}`;
}

/** One connection: the next request is sent when the previous response is complete. */
function drive(
  order: LoadOrder,
  place: number,
  { tally, until, next }: { tally: Tally; until: number; next: () => number },
): Promise<void> {
  const { hostname, port, host } = new URL(order.url);
  const paths = [order.request.path].flat();
  const path = paths[place % paths.length] ?? "/";
  const fixed =
    order.request.body?.includes("{n}") || order.request.bodyFile
      ? undefined
      : text(order.request, path, host, 0);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const most = order.requests ?? Number.POSITIVE_INFINITY;
  let received: Buffer = Buffer.alloc(0);
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.write(fixed ?? text(order.request, path, host, next()));
  };
  socket.on("connect", send);
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const length = lengthOf(received);
    if (length === 0) return;
    const now = performance.now();
    tally.times.push(now - sentAt);
    const status = received.toString("latin1", 9, 12);
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (status >= "300")
      tally.firstFailure ??= received.toString("latin1", 0, Math.min(length, 2000));
    received = received.subarray(length);
    if (now < until && tally.times.length < most) send();
    else socket.end();
  });
  return new Promise((resolve, reject) => {
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

async function main(order: LoadOrder): Promise<LoadResult> {
  const tally: Tally = { times: [], statuses: {} };
  const from = performance.now();
  let n = Date.now() * 1000;
  const next = () => {
    n += 1;
    return n;
  };
  const until = from + order.seconds * 1000;
  await Promise.all(
    Array.from({ length: order.connections }, (_, place) =>
      drive(order, place, { tally, until, next }),
    ),
  );
  const elapsed = (performance.now() - from) / 1000;
  if (onceOnly && order.request.bodyFile)
    writeFileSync(placeIn(order.request.bodyFile), String(onceOnly.next));
  const sorted = Float64Array.from(tally.times).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const { statuses, firstFailure } = tally;
  const result = {
    requests: sorted.length,
    perSecond: sorted.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  };
  return firstFailure === undefined ? result : { ...result, firstFailure };
}

const [, , order] = process.argv;
if (order !== undefined) process.stdout.write(JSON.stringify(await main(JSON.parse(order))));
