import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { beginTrace, currentTrace, parseTraceparent, withTrace } from "@/lib/protocol/tracing";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { droppedSpans, startTracing, stopTracing } from "./otlp";

const send = testServer();

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}

let collector: Server;
let received: { headers: Record<string, unknown>; text: string }[];

beforeEach(async () => {
  received = [];
  collector = createServer((req, res) => {
    let text = "";
    req.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    req.on("end", () => {
      received.push({ headers: req.headers, text });
      res.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const address = collector.address();
  const port = typeof address === "object" ? address?.port : 0;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=ops,authorization=Bearer%20collector");
  vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "0");
});

afterEach(async () => {
  await stopTracing();
  vi.unstubAllEnvs();
  collector.closeAllConnections();
  collector.close();
});

const spans = (): SentSpan[] =>
  received.flatMap(({ text }) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans);

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const asking = (flags: string) => ({ traceparent: `00-${traceId}-${parentId}-${flags}` });

async function keyHeaders() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  return makeApiKey(tenant, userId);
}

describe("a request whose traceparent has the sampled flag", () => {
  test("shows admission, credential, statements, handler and sending, in the caller's trace", async () => {
    const { headers, apiKey } = await keyHeaders();
    startTracing();
    const response = await send("GET /v1/user/list?q=ann%40example.com", {
      headers: { ...headers, ...asking("01") },
    });
    expect(response.status).toBe(200);
    await stopTracing();
    const found = spans();
    const root = found.find(({ kind }) => kind === 2);
    expect(root).toMatchObject({ traceId, parentSpanId: parentId, name: "GET /v1/user/list" });
    expect(root?.attributes).toContainEqual({
      key: "http.response.status_code",
      value: { intValue: "200" },
    });
    const children = found.filter((span) => span !== root);
    const names = children.map(({ name }) => name);
    for (const name of [
      "wait for admission",
      "check the credential",
      "handle",
      "send the response",
    ])
      expect(names).toContain(name);
    expect(children.filter(({ kind }) => kind === 3).length).toBeGreaterThan(1);
    for (const child of children) {
      expect(child.parentSpanId).toBe(root?.spanId);
      expect(BigInt(child.startTimeUnixNano)).toBeGreaterThanOrEqual(
        BigInt(root?.startTimeUnixNano ?? 0),
      );
      expect(BigInt(child.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root?.endTimeUnixNano ?? 0));
    }
    expect(received[0]?.headers).toMatchObject({
      "x-tenant": "ops",
      authorization: "Bearer collector",
    });
    for (const { text } of received) {
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain("example.com");
    }
  });
});

test("at most a hundred requests a second are traced, whatever their traceparent", () => {
  vi.spyOn(performance, "now").mockReturnValue(5_000_000);
  startTracing();
  const begun = Array.from({ length: 150 }, () => beginTrace(asking("01").traceparent));
  vi.restoreAllMocks();
  expect(begun.filter((trace) => trace !== undefined)).toHaveLength(100);
});

test("the work of a request has its trace while another one ends; after the last one async tracking stops", async () => {
  startTracing();
  const [first, second] = [traceId, "1".repeat(32)].map((id) =>
    beginTrace(`00-${id}-${parentId}-01`),
  );
  if (!first || !second) throw new Error("Both ask for a sample.");
  const gate = new EventTarget();
  const [isOpen, isOver] = [once(gate, "open"), once(gate, "over")];
  let late: Promise<unknown> | undefined;
  const working = withTrace(first, async () => {
    late = isOver.then(() => currentTrace());
    await isOpen;
    return currentTrace();
  });
  expect(await withTrace(second, async () => currentTrace())).toBe(second);
  gate.dispatchEvent(new Event("open"));
  expect(await working).toBe(first);
  gate.dispatchEvent(new Event("over"));
  expect(await late).toBeUndefined();
});

test("a request without the sampled flag, or with an ill-formed traceparent, is not traced", async () => {
  const { headers } = await keyHeaders();
  startTracing();
  for (const given of [asking("00"), { traceparent: "00-zz-1-01" }, {}])
    expect((await send("GET /v1/user/list", { headers: { ...headers, ...given } })).status).toBe(
      200,
    );
  await stopTracing();
  expect(spans()).toEqual([]);
});

test("an unavailable collector loses spans, which are counted, and affects no request", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
  vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "1");
  const { headers } = await keyHeaders();
  startTracing();
  const before = droppedSpans();
  expect((await send("GET /v1/user/list", { headers })).status).toBe(200);
  await stopTracing();
  expect(droppedSpans()).toBeGreaterThan(before);
});

test.each([
  [`00-${traceId}-${parentId}-01`, { traceId, parentId, isSampled: true }],
  [`00-${traceId}-${parentId}-00`, { traceId, parentId, isSampled: false }],
  [`01-${traceId}-${parentId}-03-later`, { traceId, parentId, isSampled: true }],
  [`ff-${traceId}-${parentId}-01`, undefined],
  [`00-${"0".repeat(32)}-${parentId}-01`, undefined],
  [`00-${traceId}-${"0".repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${parentId}-01`, undefined],
  ["", undefined],
])("traceparent %s", (header, parsed) => {
  expect(parseTraceparent(header)).toEqual(parsed);
});
