import type { QueryClient } from "@tanstack/react-query";
import type { Operation } from "@/lib/catalogue/client";

/** The call whose answer a page shows. */
export interface ViewCall {
  operation: Operation;
  site?: string | undefined;
  query?: Record<string, string>;
  /** Where an API key is not accepted. */
  needsSession?: true;
}

/** What a query says about itself where its answer is the page. */
export const asViewCall = (call: ViewCall) => ({ viewCall: call });

/** The call behind what is on screen; undefined where no query says that it is the page. */
export function findViewCall(queries: QueryClient): ViewCall | undefined {
  const active = queries.getQueryCache().findAll({ type: "active" });
  return active
    .map(({ meta }) => meta?.viewCall as ViewCall | undefined)
    .find((call) => call !== undefined);
}
