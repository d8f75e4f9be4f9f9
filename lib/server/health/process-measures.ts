import { readFileSync } from "node:fs";
import { join } from "node:path";
import { credentialCacheState } from "@/lib/access/access-versions";
import { hashingState } from "@/lib/access/hashing";
import { projectRoot } from "@/lib/database/data-dir";
import { storeState } from "@/lib/database/open";
import { slowStatements } from "@/lib/database/stuck-statements";
import { droppedCalls, spoolState } from "@/lib/features/metrics/recording";
import { jobStates } from "@/lib/protocol/per-process";
import { type Admission, limitedClasses } from "@/lib/server/admission";
import { droppedSpans } from "./otlp";

/** One series: the values of its labels, and the current value. */
type Sample = [labels: Record<string, string>, value: number];

/** Metrics that are read at a scrape, not in between. Labels have few values, all known in advance. */
export interface ProcessMeasure {
  name: string;
  kind: "gauge" | "counter";
  help: string;
  labels: string[];
  read(): Sample[];
}

let admission: Admission | undefined;

/** The admission of the measured server: the newest one of this process. */
export function watchAdmission(watched: Admission): void {
  admission = watched;
}

const one = (value: number): Sample[] => [[{}, value]];

const plain = (kind: ProcessMeasure["kind"], name: string, help: string, read: () => number) => ({
  ...{ kind, name, help, labels: [] },
  read: () => one(read()),
});

const classSamples = (key: "limit" | "inFlight" | "queued") => (): Sample[] =>
  limitedClasses.flatMap((name) => {
    const value = admission?.state(name)[key];
    return value === undefined ? [] : [[{ class: name }, value] as Sample];
  });

const classMeasures: ProcessMeasure[] = [
  [
    "limit",
    "limit",
    "Requests of a class that may be in progress at once, as the process has adapted it.",
  ],
  ["in_flight", "inFlight", "Requests of a class in progress."],
  ["queued", "queued", "Requests of a class that wait for their turn."],
].map(([suffix, key, help]) => ({
  name: `http_admission_${suffix}`,
  kind: "gauge",
  help: help ?? "",
  labels: ["class"],
  read: classSamples(key as "limit" | "inFlight" | "queued"),
}));

const storeMeasures: ProcessMeasure[] = [
  {
    name: "store_pool_connections",
    kind: "gauge",
    help: "Connections of a pool: lent to work, or idle.",
    labels: ["pool", "state"],
    read: () =>
      Object.entries(storeState()?.pools ?? {}).flatMap(([pool, { lent, idle }]): Sample[] => [
        [{ pool, state: "lent" }, lent],
        [{ pool, state: "idle" }, idle],
      ]),
  },
  {
    name: "store_pool_max_connections",
    kind: "gauge",
    help: "Connections that a pool may open.",
    labels: ["pool"],
    read: () => poolSamples("max"),
  },
  {
    name: "store_pool_waiting",
    kind: "gauge",
    help: "Work that waits for a connection of a pool.",
    labels: ["pool"],
    read: () => poolSamples("waiting"),
  },
  {
    name: "store_pipe_statements",
    kind: "gauge",
    help: "Statements that were sent on shared connections and are not answered.",
    labels: ["pipe"],
    read: () =>
      Object.entries(storeState()?.pipes ?? {}).map(([pipe, { waiting }]) => [{ pipe }, waiting]),
  },
  plain(
    "gauge",
    "store_circuit_open",
    "1 while the store gives no answer and requests are rejected at once.",
    () => (storeState()?.isCircuitOpen ? 1 : 0),
  ),
  plain(
    "gauge",
    "store_full",
    "1 while the store had no room for a write within the last minute.",
    () => (storeState()?.isFull ? 1 : 0),
  ),
  plain(
    "counter",
    "store_slow_statements_total",
    "Statements that took longer than SLOW_STATEMENT_MS.",
    slowStatements,
  ),
];

function poolSamples(key: "max" | "waiting"): Sample[] {
  return Object.entries(storeState()?.pools ?? {}).map(([pool, state]) => [{ pool }, state[key]]);
}

const workMeasures: ProcessMeasure[] = [
  plain(
    "gauge",
    "password_hashes_running",
    "Password hashes that are computed.",
    () => hashingState().running,
  ),
  plain(
    "gauge",
    "password_hashes_waiting",
    "Password hashes that wait for a core.",
    () => hashingState().waiting,
  ),
  plain(
    "gauge",
    "credential_cache_entries",
    "Credentials in the cache.",
    () => credentialCacheState().entries,
  ),
  {
    name: "credential_cache_lookups_total",
    kind: "counter",
    help: "Lookups of a credential in the cache: found and current, or not.",
    labels: ["result"],
    read: () => {
      const { hits, misses } = credentialCacheState();
      return [
        [{ result: "hit" }, hits],
        [{ result: "miss" }, misses],
      ];
    },
  },
  plain(
    "gauge",
    "api_metrics_dropped_calls",
    "Calls that were counted and could not be kept, since the start.",
    droppedCalls,
  ),
  plain(
    "gauge",
    "api_metrics_spool_batches",
    "Batches of counted calls that wait for the store.",
    () => spoolState().batches,
  ),
  plain(
    "gauge",
    "api_metrics_spool_bytes",
    "Bytes of counted calls that wait for the store.",
    () => spoolState().bytes,
  ),
  plain(
    "gauge",
    "api_metrics_spool_age_seconds",
    "How long the oldest batch has waited for the store.",
    () => {
      const { since } = spoolState();
      return since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000;
    },
  ),
  {
    name: "job_last_success_timestamp_seconds",
    kind: "gauge",
    help: "When a round of periodic work last succeeded in this process; 0 before.",
    labels: ["job_name"],
    read: () => [...jobStates()].map(([name, job]) => [{ job_name: name }, job.succeededAt / 1000]),
  },
  {
    name: "job_failures_total",
    kind: "counter",
    help: "Rounds of periodic work that failed in this process.",
    labels: ["job_name"],
    read: () => [...jobStates()].map(([name, job]) => [{ job_name: name }, job.failures]),
  },
];

const lostSpans = plain(
  "counter",
  "traces_dropped_spans_total",
  "Spans that the collector did not take.",
  droppedSpans,
);

const buildInfo: ProcessMeasure = {
  name: "gatehouse_build_info",
  kind: "gauge",
  help: "1, with the version of the program.",
  labels: ["version"],
  read: () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8"));
    return [[{ version: String(version) }, 1]];
  },
};

const processId = plain("gauge", "process_pid", "The id of the process.", () => process.pid);

export const processMeasures: readonly ProcessMeasure[] = [
  ...classMeasures,
  ...storeMeasures,
  ...workMeasures,
  lostSpans,
  buildInfo,
  processId,
];
