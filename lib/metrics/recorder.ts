import type { ToldCaller } from "@/lib/access/told-caller";
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
  caller: ToldCaller | undefined;
  ms: number;
}

/** More combinations of one tenant than this are counted together until they are forgotten. */
const mostOfTenant = 5000;
const mostTenants = 2000;
const mostCombinations = 50_000;

interface Book {
  /** By credential, then by site: the indexes of endpoint * 1000 + status. */
  credentials: Map<string, Map<string, Map<number, number>>>;
  combinations: number;
}

/** Everything counted since the last swap. */
export interface Recorder {
  tenants: Map<string, Book>;
  endpoints: Map<string, number>;
  owners: { tenantId: string; values: readonly string[] }[];
  counts: Uint32Array;
  histograms: (Uint32Array | undefined)[];
  touched: number[];
  measured: number[];
  /** Calls whose tenant header was one of too many unknown ones. */
  unattributed: number;
}

export const newRecorder = (): Recorder => ({
  tenants: new Map(),
  endpoints: new Map(),
  owners: [],
  counts: new Uint32Array(1024),
  histograms: [],
  touched: [],
  measured: [],
  unattributed: 0,
});

/** Looks up, or makes: once for each new thing, so that the path of a call allocates nothing. */
function ensure<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function valuesOf({ siteId, domain, endpoint, method, status, caller }: Call, isCapped: boolean): string[] {
  const kind = caller?.kind ?? "none";
  if (isCapped) return [domain, overflow, overflow, method, String(status), overflow, overflow, kind];
  const apiKey = caller?.kind === "apiKey" ? caller.credentialId : "";
  return [domain, siteId, endpoint, method, String(status), apiKey, caller?.userId ?? "", kind];
}

const newBook = (): Book => ({ credentials: new Map(), combinations: 0 });
const newMap = <Key, Value>(): Map<Key, Value> => new Map();

function intern(recorder: Recorder, book: Book, call: Call): number {
  const index = recorder.owners.length;
  book.combinations += 1;
  recorder.owners.push({ tenantId: call.tenantId, values: valuesOf(call, book.combinations > mostOfTenant) });
  if (index < recorder.counts.length) return index;
  const grown = new Uint32Array(recorder.counts.length * 2);
  grown.set(recorder.counts);
  recorder.counts = grown;
  return index;
}

function indexOf(recorder: Recorder, call: Call): number | undefined {
  const { tenants, endpoints } = recorder;
  const { tenantId, caller, siteId, endpoint, status } = call;
  if (tenants.size >= mostTenants && !tenants.has(tenantId)) return undefined;
  const book = ensure(tenants, tenantId, newBook);
  const sites = ensure(book.credentials, caller ? caller.credentialId || caller.kind : "", newMap<string, Map<number, number>>);
  const calls = ensure(sites, siteId, newMap<number, number>);
  const key = ensure(endpoints, endpoint, () => endpoints.size) * 1000 + status;
  return ensure(calls, key, () => intern(recorder, book, call));
}

/** Counts one call in memory: no promise, no I/O, a few look-ups and one addition. */
export function record(recorder: Recorder, call: Call): void {
  const index = indexOf(recorder, call);
  if (index === undefined) {
    recorder.unattributed += 1;
    return;
  }
  const count = recorder.counts[index] ?? 0;
  if (count === 0) recorder.touched.push(index);
  recorder.counts[index] = count + 1;
  let histogram = recorder.histograms[index];
  if (!histogram) {
    histogram = new Uint32Array(bucketCount);
    recorder.histograms[index] = histogram;
    recorder.measured.push(index);
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
  const cells = new Map<number, RawCell>();
  const batch: RawBatch = new Map();
  const cellOf = (index: number) =>
    ensure(cells, index, () => {
      const { tenantId, values } = recorder.owners[index] ?? { tenantId: "", values: [] };
      const cell: RawCell = { values, count: 0, latency: [] };
      ensure(batch, tenantId, (): RawCell[] => []).push(cell);
      return cell;
    });
  for (const index of recorder.touched) {
    cellOf(index).count = recorder.counts[index] ?? 0;
    recorder.counts[index] = 0;
  }
  recorder.touched = [];
  if (!withLatency) return batch;
  for (const index of recorder.measured) {
    cellOf(index).latency = latencyOf(recorder.histograms[index]);
    recorder.histograms[index] = undefined;
  }
  recorder.measured = [];
  const { unattributed } = recorder;
  const isFull = recorder.owners.length > mostCombinations || recorder.tenants.size >= mostTenants;
  if (isFull) Object.assign(recorder, newRecorder(), { unattributed });
  return batch;
}

/** Calls that could not even be told apart by tenant since the last time this was asked. */
export function takeUnattributed(recorder: Recorder): number {
  const { unattributed } = recorder;
  recorder.unattributed = 0;
  return unattributed;
}
