import type { RequestCaller } from "@/lib/http/request-context";
import { bucketCount, bucketOf, encodeLabels, type LabelValues, overflow } from "./call-labels";

/** The calls of one combination since the last drain. `values` are from the request and not verified yet. */
export interface RawCell {
  values: LabelValues;
  count: number;
  latency: [bucket: number, calls: number][];
}

/** The cells of a drain, by tenant. */
export type RawBatch = Map<string, RawCell[]>;

export interface Call {
  tenantId: string;
  siteId: string;
  domain: string;
  endpoint: string;
  method: string;
  status: number;
  caller: RequestCaller | undefined;
  ms: number;
}

/** Combinations of one tenant beyond this number are counted together until they are dropped from memory. */
const maxOfTenant = 5000;
const maxTenants = 2000;
const maxCombinations = 50_000;
/** After this many drains with latencies, about a minute, everything is dropped from memory: the next call adds its combination again. */
const maxDrains = 8;

/** A combination of one tenant, credential, site and endpoint. */
interface Combination {
  tenantId: string;
  values: LabelValues;
  status: number;
  method: string;
  domain: string;
  count: number;
  histogram: Uint32Array | undefined;
  /** The next one of the same endpoint: there are few, so a linked list is cheaper than a Map. */
  next: Combination | undefined;
}

/** By endpoint. */
type Combinations = Map<string, Combination>;

interface Credential {
  withoutSite: Combinations;
  sites: Map<string, Combinations>;
}

interface TenantCounters {
  credentials: Map<string, Credential>;
  combinations: number;
}

/** Everything counted since the last drain. */
export interface Recorder {
  tenants: Map<string, TenantCounters>;
  combinations: number;
  /** Drains with latencies since everything was dropped. */
  drains: number;
  /** Since the last drain. */
  changed: Combination[];
  /** All combinations that changed since the last drain with latencies. */
  measured: Combination[];
  /** Calls with a tenant header beyond the maximum number of tenants. */
  unattributed: number;
}

export const newRecorder = (): Recorder => ({
  tenants: new Map(),
  combinations: 0,
  drains: 0,
  changed: [],
  measured: [],
  unattributed: 0,
});

function valuesOf(
  { siteId, domain, endpoint, method, status, caller }: Call,
  isCapped: boolean,
): string[] {
  const kind = caller?.kind ?? "none";
  const labels = { domain, method, status: String(status), credentialKind: kind };
  if (isCapped)
    return encodeLabels({
      ...labels,
      site: overflow,
      endpoint: overflow,
      apiKey: overflow,
      user: overflow,
    });
  const apiKey = caller?.kind === "apiKey" ? caller.credentialId : "";
  return encodeLabels({ ...labels, site: siteId, endpoint, apiKey, user: caller?.userId ?? "" });
}

function createTenantCounters({ tenants }: Recorder, tenantId: string): TenantCounters | undefined {
  if (tenants.size >= maxTenants) return undefined;
  const counters: TenantCounters = { credentials: new Map(), combinations: 0 };
  tenants.set(tenantId, counters);
  return counters;
}

function createCredential({ credentials }: TenantCounters, key: string): Credential {
  const credential: Credential = { withoutSite: new Map(), sites: new Map() };
  credentials.set(key, credential);
  return credential;
}

function createSite({ sites }: Credential, siteId: string): Combinations {
  const combinations: Combinations = new Map();
  sites.set(siteId, combinations);
  return combinations;
}

function addCombination(
  recorder: Recorder,
  counters: TenantCounters,
  combinations: Combinations,
  call: Call,
): Combination {
  const { tenantId, endpoint, status, method, domain } = call;
  recorder.combinations += 1;
  counters.combinations += 1;
  const values = valuesOf(call, counters.combinations > maxOfTenant);
  const next = combinations.get(endpoint);
  const created: Combination = {
    tenantId,
    values,
    status,
    method,
    domain,
    count: 0,
    histogram: undefined,
    next,
  };
  combinations.set(endpoint, created);
  return created;
}

function findCombination(recorder: Recorder, call: Call): Combination | undefined {
  const { tenantId, caller, siteId, endpoint, status, method, domain } = call;
  const counters = recorder.tenants.get(tenantId) ?? createTenantCounters(recorder, tenantId);
  if (!counters) return undefined;
  const key = caller ? caller.credentialId || caller.kind : "";
  const credential = counters.credentials.get(key) ?? createCredential(counters, key);
  const combinations =
    siteId === ""
      ? credential.withoutSite
      : (credential.sites.get(siteId) ?? createSite(credential, siteId));
  let found = combinations.get(endpoint);
  while (found && (found.status !== status || found.method !== method || found.domain !== domain))
    found = found.next;
  return found ?? addCombination(recorder, counters, combinations, call);
}

/** Counts one call in memory: no promise, no I/O, three lookups and two additions. */
export function record(recorder: Recorder, call: Call): void {
  const combination = findCombination(recorder, call);
  if (!combination) {
    recorder.unattributed += 1;
    return;
  }
  if (combination.count === 0) recorder.changed.push(combination);
  combination.count += 1;
  let { histogram } = combination;
  if (!histogram) {
    histogram = new Uint32Array(bucketCount);
    combination.histogram = histogram;
    recorder.measured.push(combination);
  }
  const bucket = bucketOf(call.ms);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

function latencyOf(histogram: Uint32Array | undefined): [number, number][] {
  const found: [number, number][] = [];
  histogram?.forEach((calls, bucket) => {
    if (calls > 0) found.push([bucket, calls]);
  });
  return found;
}

/** Takes out everything counted since the last drain; the histograms less often, because they cost more to store. */
export function drain(recorder: Recorder, withLatency: boolean): RawBatch {
  const batch: RawBatch = new Map();
  for (const combination of withLatency ? recorder.measured : recorder.changed) {
    const { tenantId, values, count, histogram } = combination;
    const cells = batch.get(tenantId) ?? [];
    if (cells.length === 0) batch.set(tenantId, cells);
    cells.push({ values, count, latency: withLatency ? latencyOf(histogram) : [] });
    combination.count = 0;
    if (withLatency) combination.histogram = undefined;
  }
  recorder.changed = [];
  if (!withLatency) return batch;
  recorder.measured = [];
  recorder.drains += 1;
  const isFull = recorder.combinations > maxCombinations || recorder.tenants.size >= maxTenants;
  if (isFull || recorder.drains >= maxDrains)
    Object.assign(recorder, { tenants: new Map(), combinations: 0, drains: 0 });
  return batch;
}

/** Calls that could not be attributed to a tenant since this was last called. */
export function takeUnattributed(recorder: Recorder): number {
  const { unattributed } = recorder;
  recorder.unattributed = 0;
  return unattributed;
}
