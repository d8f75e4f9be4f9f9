import type { RequestCaller } from "@/lib/http/request-context";
import { overflow } from "./dimensions";
import { bucketCount, bucketOf } from "./histogram";

/** The calls of one combination since the last swap. `values` are as the request told them: nothing is verified yet. */
export interface RawCell {
  values: readonly string[];
  count: number;
  latency: [bucket: number, calls: number][];
}

/** What a swap takes out, by tenant. */
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

/** More combinations of one tenant than this are counted together until they are forgotten. */
const mostOfTenant = 5000;
const mostTenants = 2000;
const mostCombinations = 50_000;

/** A combination of one tenant, credential, site and endpoint. */
interface Combination {
  tenantId: string;
  values: readonly string[];
  status: number;
  method: string;
  domain: string;
  count: number;
  histogram: Uint32Array | undefined;
  /** Another one of the same endpoint: few, so that looking through them is cheaper than a Map. */
  next: Combination | undefined;
}

/** By endpoint. */
type Combinations = Map<string, Combination>;

interface Credential {
  withoutSite: Combinations;
  sites: Map<string, Combinations>;
}

interface Book {
  credentials: Map<string, Credential>;
  combinations: number;
}

/** Everything counted since the last swap. */
export interface Recorder {
  tenants: Map<string, Book>;
  combinations: number;
  /** Since the last swap. */
  touched: Combination[];
  /** Since the last swap with latencies: these hold all that are touched. */
  measured: Combination[];
  /** Calls whose tenant header was one of too many unknown ones. */
  unattributed: number;
}

export const newRecorder = (): Recorder => ({
  tenants: new Map(),
  combinations: 0,
  touched: [],
  measured: [],
  unattributed: 0,
});

function valuesOf(
  { siteId, domain, endpoint, method, status, caller }: Call,
  isCapped: boolean,
): string[] {
  const kind = caller?.kind ?? "none";
  if (isCapped)
    return [domain, overflow, overflow, method, String(status), overflow, overflow, kind];
  const apiKey = caller?.kind === "apiKey" ? caller.credentialId : "";
  return [domain, siteId, endpoint, method, String(status), apiKey, caller?.userId ?? "", kind];
}

function openBook({ tenants }: Recorder, tenantId: string): Book | undefined {
  if (tenants.size >= mostTenants) return undefined;
  const book: Book = { credentials: new Map(), combinations: 0 };
  tenants.set(tenantId, book);
  return book;
}

function openCredential({ credentials }: Book, key: string): Credential {
  const credential: Credential = { withoutSite: new Map(), sites: new Map() };
  credentials.set(key, credential);
  return credential;
}

function openSite({ sites }: Credential, siteId: string): Combinations {
  const combinations: Combinations = new Map();
  sites.set(siteId, combinations);
  return combinations;
}

function add(recorder: Recorder, book: Book, combinations: Combinations, call: Call): Combination {
  const { tenantId, endpoint, status, method, domain } = call;
  recorder.combinations += 1;
  book.combinations += 1;
  const values = valuesOf(call, book.combinations > mostOfTenant);
  const next = combinations.get(endpoint);
  const made: Combination = {
    tenantId,
    values,
    status,
    method,
    domain,
    count: 0,
    histogram: undefined,
    next,
  };
  combinations.set(endpoint, made);
  return made;
}

function find(recorder: Recorder, call: Call): Combination | undefined {
  const { tenantId, caller, siteId, endpoint, status, method, domain } = call;
  const book = recorder.tenants.get(tenantId) ?? openBook(recorder, tenantId);
  if (!book) return undefined;
  const key = caller ? caller.credentialId || caller.kind : "";
  const credential = book.credentials.get(key) ?? openCredential(book, key);
  const combinations =
    siteId === ""
      ? credential.withoutSite
      : (credential.sites.get(siteId) ?? openSite(credential, siteId));
  let found = combinations.get(endpoint);
  while (found && (found.status !== status || found.method !== method || found.domain !== domain))
    found = found.next;
  return found ?? add(recorder, book, combinations, call);
}

/** Counts one call in memory: no promise, no I/O, three look-ups and two additions. */
export function record(recorder: Recorder, call: Call): void {
  const combination = find(recorder, call);
  if (!combination) {
    recorder.unattributed += 1;
    return;
  }
  if (combination.count === 0) recorder.touched.push(combination);
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

/** Takes out everything counted since the last swap; the histograms only now and then, for they cost more to keep. */
export function swap(recorder: Recorder, withLatency: boolean): RawBatch {
  const batch: RawBatch = new Map();
  for (const combination of withLatency ? recorder.measured : recorder.touched) {
    const { tenantId, values, count, histogram } = combination;
    const cells = batch.get(tenantId) ?? [];
    if (cells.length === 0) batch.set(tenantId, cells);
    cells.push({ values, count, latency: withLatency ? latencyOf(histogram) : [] });
    combination.count = 0;
    if (withLatency) combination.histogram = undefined;
  }
  recorder.touched = [];
  if (!withLatency) return batch;
  recorder.measured = [];
  const isFull = recorder.combinations > mostCombinations || recorder.tenants.size >= mostTenants;
  if (isFull) [recorder.tenants, recorder.combinations] = [new Map(), 0];
  return batch;
}

/** Calls that could not even be told apart by tenant since the last time this was asked. */
export function takeUnattributed(recorder: Recorder): number {
  const { unattributed } = recorder;
  recorder.unattributed = 0;
  return unattributed;
}
