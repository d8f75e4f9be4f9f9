import type { Registry } from "prom-client";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/request-context";
import { onWork, perProcess } from "@/lib/protocol/per-process";
import { workerNumber } from "@/lib/protocol/processes";
import { type ProcessMeasure, processMeasures } from "./process-measures";

interface Measures {
  registry: Registry;
}

type Library = typeof import("prom-client");

function register({ Counter, Gauge }: Library, registry: Registry, measure: ProcessMeasure): void {
  const { name, kind, help, labels: labelNames, read } = measure;
  const options = { name, help, labelNames, registers: [registry] };
  if (kind === "gauge")
    new Gauge({
      ...options,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  else
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
}

/** From durations that do not affect a request to a checkpoint, which is written slowly on purpose. */
const workSeconds = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ...[60, 300],
];

function measureWork({ Histogram }: Library, registry: Registry): void {
  const durations = new Histogram({
    name: "work_duration_seconds",
    help: "What may hold up requests, each time: responses that leave together and counts that are spooled hold the event loop.",
    labelNames: ["work"],
    buckets: workSeconds,
    registers: [registry],
  });
  onWork((work, milliseconds) => durations.observe({ work }, milliseconds / 1000));
}

async function open(): Promise<Measures> {
  const library = await import("prom-client");
  const { collectDefaultMetrics, Histogram, Registry } = library;
  const registry = new Registry();
  if (workerNumber !== undefined) registry.setDefaultLabels({ worker: String(workerNumber) });
  collectDefaultMetrics({ register: registry, gcDurationBuckets: workSeconds });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Answered requests of the interface by method, route and class of status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  measureWork(library, registry);
  for (const measure of processMeasures) register(library, registry, measure);
  onCompletedRequest(({ method, template, status, durationMs }: CompletedRequest) => {
    durations.observe(
      { method, route: template ?? "none", status: `${Math.floor(status / 100)}xx` },
      durationMs / 1000,
    );
  });
  return { registry };
}

/** Starts to count responses; the first call, when the server listens, loads the library. */
export const measure = perProcess("request-measures", open);

/** Everything measured so far, in Prometheus' text format. */
export async function exposition(): Promise<{ contentType: string; text: string }> {
  const { registry } = await measure();
  return { contentType: registry.contentType, text: await registry.metrics() };
}

const others = perProcess("measures-of-all", (): { ask?: () => Promise<string[]> } => ({}));

/** From now on a scrape returns the measurements of every process on the port, which `ask` collects. */
export function measureWith(ask: () => Promise<string[]>): void {
  others().ask = ask;
}

/** Merges several expositions: each metric with its description once, and the samples of all. */
export function mergeExpositions(texts: readonly string[]): string {
  const metrics = new Map<string, { head: string[]; samples: string[] }>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split("\n").filter(Boolean);
    const head = lines.filter((line) => line.startsWith("# "));
    const metric = metrics.get(head[0] ?? "") ?? { head, samples: [] };
    for (const line of lines) if (!line.startsWith("# ")) metric.samples.push(line);
    metrics.set(head[0] ?? "", metric);
  }
  return [...metrics.values()]
    .map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`)
    .join("\n");
}

/** The measurements of this process, or of all processes on the port: the label `worker` distinguishes them. */
export async function expositionOfAll(): Promise<{ contentType: string; text: string }> {
  const { ask } = others();
  const own = await exposition();
  return ask ? { ...own, text: mergeExpositions(await ask()) } : own;
}
