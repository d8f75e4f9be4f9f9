import { pageFilters } from "@/lib/features/metrics/values";
import { userFilterNames } from "@/lib/features/users/values";

/** The pages of the portal that have saved views, with the URL parameters that a view may contain. */
export const viewParameters = {
  users: [...userFilterNames, "sort", "size", "hide", "columns", "widths"],
  // The site of customers is in the path. Search texts of customers are personal data: no view contains them.
  customers: ["lock"],
  requests: [
    ...["requestId", "outcome", "status", "code", "operation", "apiKey", "user", "site"],
    ...["address", "from", "to"],
  ],
  audit: ["action", "actor", "target", "requestId", "from", "to"],
  keys: ["show"],
  alerts: ["state"],
  // For every webhook: its id is in the path.
  deliveries: ["status", "type"],
  metrics: [
    ...["range", "from", "to", "zone", "period", ...pageFilters],
    ...["group", "chart", "compare", "live", "view", "off"],
  ],
} as const satisfies Record<string, readonly string[]>;

export type ViewPage = keyof typeof viewParameters;

export const viewPages = Object.keys(viewParameters) as ViewPage[];

/** The page whose views may be shown as charts on the home page. */
export const chartPage = "metrics" satisfies ViewPage;

/** Parameters that are meaningful when empty: no grouping, and no moving range. */
const sayingWhenEmpty: readonly string[] = ["group", "range"];

export const maxOwnViews = 50;
export const maxSharedViews = 100;
/** The limit per user, and for the shared ones of a tenant: the home page queries the numbers of each. */
export const maxHomeCharts = 6;
export const maxViewName = 60;
export const maxViewQuery = 2048;

/** The part of a URL that a view of the page stores, in a fixed order; empty parameters are omitted unless meaningful. */
export function keptQuery(page: ViewPage, address: URLSearchParams): string {
  const kept = viewParameters[page].flatMap((name) => {
    const value = address.get(name);
    return value || (value === "" && sayingWhenEmpty.includes(name)) ? [[name, value]] : [];
  });
  return new URLSearchParams(kept).toString();
}
