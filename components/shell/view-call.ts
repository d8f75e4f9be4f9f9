import type { QueryClient } from "@tanstack/react-query";
import type { Operation } from "@/lib/catalogue/client";

/** The API call whose response a page shows. */
export interface ViewCall {
  operation: Operation;
  site?: string | undefined;
  query?: Record<string, string>;
  /** Set when the call does not accept an API key. */
  needsSession?: true;
}

/** The metadata of a query whose response is the main content of a page. */
export const asViewCall = (call: ViewCall) => ({ viewCall: call });

/** The API call of the current page; undefined when no query is marked as its content. */
export function findViewCall(queries: QueryClient): ViewCall | undefined {
  const active = queries.getQueryCache().findAll({ type: "active" });
  return active
    .map(({ meta }) => meta?.viewCall as ViewCall | undefined)
    .find((call) => call !== undefined);
}
