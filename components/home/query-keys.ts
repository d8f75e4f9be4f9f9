import { asked, type MetricsState } from "@/components/metrics/state";

/** Where the notices of the home page are held in the query cache. */
export const noticesKey = (tenant: string) => [tenant, "notices"];

export const chartKeys = {
  /** What a saved chart shows. */
  calls: (tenant: string, state: MetricsState) => [tenant, "saved-chart", asked(state), state.off],
  /** Names and the first call that was counted: the same for all charts. */
  metadata: (tenant: string) => [tenant, "metrics-metadata"],
};
