import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { type Attributes, type Span, setTracing, type Trace } from "@/lib/protocol/tracing";

/*
 * Sends traces by OTLP over HTTP with JSON. The queue is bounded and never blocks a request: spans that an unavailable or slow
 * collector does not accept are dropped and counted. The standard library for this has a hundred packages and would add nothing.
 */

const flushMs = 2000;
const maxQueuedSpans = 5000;
const requestMs = 5000;

const kinds = { internal: 1, server: 2, client: 3 } as const;

let queue: { traceId: string; span: Span }[] = [];
let timer: NodeJS.Timeout | undefined;
let sending: Promise<void> = Promise.resolve();
let dropped = 0;

export const droppedSpans = (): number => dropped;

const nanoseconds = (ms: number) =>
  String(BigInt(Math.round((performance.timeOrigin + ms) * 1000)) * 1000n);

const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const typed = typeof value === "number" ? { intValue: String(value) } : { stringValue: value };
    return [{ key, value: typed }];
  });

const encodeSpan = (traceId: string, span: Span) => ({
  traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributeList(span.attributes),
  status: span.isError ? { code: 2 } : {},
});

const encode = (spans: typeof queue) => ({
  resourceSpans: [
    {
      resource: { attributes: attributeList({ "service.name": "gatehouse" }) },
      scopeSpans: [
        {
          scope: { name: "gatehouse" },
          spans: spans.map(({ traceId, span }) => encodeSpan(traceId, span)),
        },
      ],
    },
  ],
});

async function send(endpoint: string): Promise<void> {
  const spans = queue;
  queue = [];
  if (spans.length === 0) return;
  try {
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...setting("OTEL_EXPORTER_OTLP_HEADERS") },
      body: JSON.stringify(encode(spans)),
      redirect: "error",
      signal: AbortSignal.timeout(requestMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The collector answers ${response.status}.`);
  } catch (error) {
    dropped += spans.length;
    log().warn({ err: error, spans: spans.length }, "traces could not be sent and are lost");
  }
}

function enqueue({ traceId, spans }: Trace): void {
  const room = Math.max(0, maxQueuedSpans - queue.length);
  dropped += Math.max(0, spans.length - room);
  queue.push(...spans.slice(0, room).map((span) => ({ traceId, span })));
}

/** Traces sampled requests and sends their spans every two seconds, if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export function startTracing(): void {
  const endpoint = setting("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (endpoint === undefined || timer !== undefined) return;
  setTracing({ ratio: setting("OTEL_TRACES_SAMPLER_ARG"), onFinished: enqueue });
  timer = setInterval(() => {
    sending = sending.then(() => send(endpoint));
  }, flushMs).unref();
}

/** Sends what is queued, and traces nothing more. */
export async function stopTracing(): Promise<void> {
  const endpoint = setting("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (endpoint === undefined || timer === undefined) return;
  clearInterval(timer);
  timer = undefined;
  setTracing(undefined);
  await sending;
  await send(endpoint);
}
