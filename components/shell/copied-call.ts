import { type CurlCall, curlLine } from "@/lib/protocol/curl";
import type { PortalView } from "./portal-view";
import type { ViewCall } from "./view-call";

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

interface More extends Pick<CurlCall, "query" | "data"> {
  site?: string;
  headers?: CurlCall["headers"];
}

/** A call as a curl command, with an API key from the environment. */
export function curlByKey({ tenant, origin }: Place, path: string, more: More = {}): string {
  const { site, headers = [], ...rest } = more;
  return curlLine({
    url: origin + path,
    headers: [
      ["X-Service-Tenant", tenant],
      ...(site ? [["X-Service-Site", site] as const] : []),
      ["X-Service-API-Key", { variable: "API_KEY" }],
      ...headers,
    ],
    ...rest,
  });
}

/** The call as a curl command. */
export function curlOf(call: ViewCall, place: Place): string {
  const [header, variable] = credentialOf(call);
  return curlLine({
    url: place.origin + pathOf(call),
    headers: [...headersOf(call, place), [header, { variable }]],
    query: Object.entries(call.query ?? {}),
  });
}

/** The call as JavaScript with fetch. */
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
