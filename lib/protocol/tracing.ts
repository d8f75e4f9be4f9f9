import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { perProcess } from "./per-process";

/*
 * Traces of sampled requests. A request is sampled if its traceparent (W3C Trace Context) says so, else at random; its trace
 * follows the asynchronous work of the request and collects spans until the request is closed. Nothing is stored for other
 * requests, and with tracing off each check costs one field access.
 */

export type Attributes = Record<string, string | number | undefined>;

export interface Span {
  name: string;
  spanId: string;
  parentId: string | undefined;
  kind: "server" | "internal" | "client";
  /** performance.now() */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  isError?: boolean;
}

export interface Trace {
  traceId: string;
  /** The id of the request's own span. */
  spanId: string;
  parentId: string | undefined;
  spans: Span[];
}

interface Tracing {
  /** The fraction of the requests without traceparent that is sampled. */
  ratio: number;
  onFinished: (trace: Trace) => void;
}

interface State {
  tracing: Tracing | undefined;
  current: AsyncLocalStorage<Trace>;
  /** The traces of requests whose work is running. */
  running: Set<Trace>;
  /** The number of traces started in `second`. */
  count: number;
  second: number;
}

/** Callers may request sampling: at most this many traces per second are recorded. */
const maxTracesPerSecond = 100;
const maxSpans = 200;

const state = perProcess<State>("tracing", () => ({
  tracing: undefined,
  current: new AsyncLocalStorage(),
  running: new Set(),
  count: 0,
  second: 0,
}));

const traceparentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The content of a traceparent; undefined if it is invalid or has no trace. */
export function parseTraceparent(header: string | undefined) {
  const [text = "", traceId = "", parentId = "", flags = ""] =
    traceparentPattern.exec(header ?? "") ?? [];
  if (text === "" || text.startsWith("ff") || /^0+$/.test(traceId) || /^0+$/.test(parentId))
    return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const newSpanId = () => randomBytes(8).toString("hex");

/** Sends each finished trace of the sampled requests to the exporter; undefined disables it. */
export function setTracing(tracing: Tracing | undefined): void {
  state().tracing = tracing;
}

function hasRoom(): boolean {
  const second = Math.floor(performance.now() / 1000);
  if (state().second !== second) Object.assign(state(), { second, count: 0 });
  state().count += 1;
  return state().count <= maxTracesPerSecond;
}

/** The trace of a new request; undefined when it is not sampled. */
export function beginTrace(traceparent: string | undefined): Trace | undefined {
  const { tracing } = state();
  if (!tracing) return undefined;
  const given = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  const isSampled = given ? given.isSampled : Math.random() < tracing.ratio;
  if (!isSampled || !hasRoom()) return undefined;
  const traceId = given?.traceId ?? randomBytes(16).toString("hex");
  return { traceId, spanId: newSpanId(), parentId: given?.parentId, spans: [] };
}

/** Runs the work of a request in the context of its trace. While no traced work runs, no promise hooks are active. */
export async function withTrace<T>(trace: Trace, work: () => Promise<T> | T): Promise<T> {
  const { running, current } = state();
  running.add(trace);
  try {
    return await current.run(trace, work);
  } finally {
    running.delete(trace);
    if (running.size === 0) current.disable();
  }
}

/** Whether the work of any traced request is running. */
export const isFollowingTraces = (): boolean => state().running.size > 0;

/** Undefined also for work that outlives its request: from Node.js 24 on a promise keeps its context after `disable()`. */
export function currentTrace(): Trace | undefined {
  if (state().tracing === undefined) return undefined;
  const trace = state().current.getStore();
  return trace && state().running.has(trace) ? trace : undefined;
}

type NewSpan = Pick<Span, "name" | "startMs"> & Partial<Pick<Span, "kind" | "attributes">>;

/** Adds a span that ends now. */
export function addSpan(trace: Trace | undefined, { name, startMs, kind, attributes }: NewSpan) {
  if (!trace || trace.spans.length >= maxSpans) return;
  trace.spans.push({
    ...{ name, startMs, kind: kind ?? "internal", attributes: attributes ?? {} },
    ...{ spanId: newSpanId(), parentId: trace.spanId, endMs: performance.now() },
  });
}

/** Runs the work as a span of the current trace, if there is one. */
export async function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  const trace = currentTrace();
  if (!trace) return work();
  const startMs = performance.now();
  try {
    return await work();
  } finally {
    addSpan(trace, { name, startMs });
  }
}

/** Ends the request's own span, and exports the trace. */
export function finishTrace(trace: Trace, root: NewSpan & { isError: boolean }): void {
  const { name, startMs, attributes = {}, isError } = root;
  const { spanId, parentId } = trace;
  const endMs = performance.now();
  trace.spans.push({ name, spanId, parentId, kind: "server", startMs, endMs, attributes, isError });
  state().tracing?.onFinished(trace);
}
