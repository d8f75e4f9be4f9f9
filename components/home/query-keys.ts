import { asked, type MetricsState } from "@/components/metrics/state";

/** The keys of the home page's notices in the query cache. */
export const noticesKey = (tenant: string) => [tenant, "notices"];

export const chartKeys = {
  /** The data of a saved chart. */
  calls: (tenant: string, state: MetricsState) => [tenant, "saved-chart", asked(state), state.off],
  /** Names and the first call that was counted: the same for all charts. */
  metadata: (tenant: string) => [tenant, "metrics-metadata"],
};
