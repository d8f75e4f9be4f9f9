import { pageFilters } from "@/lib/features/metrics/values";
import { userFilterNames } from "@/lib/features/users/values";

/** The pages of the portal that have saved views, with the parameters of their address that a view may keep. */
export const viewParameters = {
  users: [...userFilterNames, "sort", "size", "hide", "columns", "widths"],
  // The site of customers is in the path. What customers are searched by is personal data: it is in no view.
  customers: ["lock"],
  requests: [
    ...["requestId", "outcome", "status", "code", "operation", "apiKey", "user", "site"],
    ...["address", "from", "to"],
  ],
  audit: ["action", "actor", "target", "requestId", "from", "to"],
  keys: ["show"],
  alerts: ["state"],
  // Of every webhook: which one is in the path.
  deliveries: ["status", "type"],
  metrics: [
    ...["range", "from", "to", "zone", "period", ...pageFilters],
    ...["group", "chart", "compare", "live", "view", "off"],
  ],
} as const satisfies Record<string, readonly string[]>;

export type ViewPage = keyof typeof viewParameters;

export const viewPages = Object.keys(viewParameters) as ViewPage[];

/** The page whose views may be charts of the home page. */
export const chartPage = "metrics" satisfies ViewPage;

/** Parameters that say something when they are empty: no grouping, and no moving range. */
const sayingWhenEmpty: readonly string[] = ["group", "range"];

export const maxOwnViews = 50;
export const maxSharedViews = 100;
/** Of a person, and again shared ones of a tenant: the home page asks for the numbers of each. */
export const maxHomeCharts = 6;
export const maxViewName = 60;
export const maxViewQuery = 2048;

/** The part of an address that a view of the page keeps, in a fixed order; what says nothing is left out. */
export function keptQuery(page: ViewPage, address: URLSearchParams): string {
  const kept = viewParameters[page].flatMap((name) => {
    const value = address.get(name);
    return value || (value === "" && sayingWhenEmpty.includes(name)) ? [[name, value]] : [];
  });
  return new URLSearchParams(kept).toString();
}
