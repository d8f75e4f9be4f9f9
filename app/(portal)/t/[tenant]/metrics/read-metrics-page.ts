import { readersZone } from "@/app/(portal)/portal-view";
import { type Ask, loadMetrics, type MetricsData } from "@/components/metrics/load";
import type { MetricsState } from "@/components/metrics/state";
import type { Caller } from "@/lib/access/caller";
import { MarkersQuery } from "@/lib/features/metrics/markers/contract";
import { listMarkers } from "@/lib/features/metrics/markers/service";
import { LatencyQuery, MetricsQuery, TopQuery } from "@/lib/features/metrics/parameters";
import { countsOf, latenciesOf, metadata, top } from "@/lib/features/metrics/service";
import { getPreferences } from "@/lib/features/users/rows";
import { isRejection } from "@/lib/protocol/errors";

/** Omits empty lists, as the browser's client does. */
const sent = (query: object) =>
  Object.fromEntries(
    Object.entries(query).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );

/** The caller whose time zone the page uses if the address names none. */
export const zoneFor = async (caller: Caller) => readersZone(await getPreferences(caller));

/** The page's first numbers, from the service directly; undefined for invalid parameters: then the browser's call reports the error. */
export async function readMetricsPage(
  caller: Caller,
  state: MetricsState,
): Promise<MetricsData | undefined> {
  const ask: Ask = {
    counts: async (query) => countsOf(caller, MetricsQuery.parse(sent(query))),
    latencies: async (query) => latenciesOf(caller, LatencyQuery.parse(sent(query))),
    top: async (query) => top(caller, TopQuery.parse(sent(query))),
    markers: async (query) => (await listMarkers(caller, MarkersQuery.parse(query))).items,
    metadata: (query) => metadata(caller, query),
  };
  try {
    return await loadMetrics(state, ask, Date.now());
  } catch (error) {
    if (isRejection(error) || (error instanceof Error && error.name === "ZodError"))
      return undefined;
    throw error;
  }
}
