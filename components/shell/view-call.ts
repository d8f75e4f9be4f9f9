import type { QueryClient } from "@tanstack/react-query";
import type { Operation } from "@/lib/catalogue/client";
import type { PortalView } from "./portal-view";

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

type Place = Pick<PortalView, "tenant" | "origin">;

const pathOf = ({ operation }: ViewCall) => operation.split(" ")[1] ?? "";
const credentialOf = ({ needsSession }: ViewCall) =>
  needsSession
    ? (["X-Service-Session-Id", "SESSION"] as const)
    : (["X-Service-API-Key", "API_KEY"] as const);

function headersOf({ site }: ViewCall, { tenant }: Place): [string, string][] {
  return [
    ["X-Service-Tenant", tenant],
    ...(site ? [["X-Service-Site", site] as [string, string]] : []),
  ];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as a terminal takes it. */
export function curlOf(call: ViewCall, place: Place): string {
  const [header, variable] = credentialOf(call);
  return [
    `curl --get ${quoted(place.origin + pathOf(call))}`,
    ...headersOf(call, place).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  -H "${header}: $${variable}"`,
    ...Object.entries(call.query ?? {}).map(
      ([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)}`,
    ),
  ].join(" \\\n");
}

/** The call as a program makes it. */
export function fetchOf(call: ViewCall, place: Place): string {
  const [header, variable] = credentialOf(call);
  const search = new URLSearchParams(call.query).toString();
  const headers = headersOf(call, place).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    `const response = await fetch(${JSON.stringify(place.origin + pathOf(call) + (search && `?${search}`))}, {`,
    "  headers: {",
    ...headers,
    `    "${header}": process.env.${variable},`,
    "  },",
    "});",
    "const answer = await response.json();",
  ].join("\n");
}
