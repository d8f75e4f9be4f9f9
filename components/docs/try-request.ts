import { curlLine, type ShellVariable } from "@/lib/protocol/curl";

/** The description of an operation that can be tried on a page. */
export interface TriedOperation {
  method: string;
  /** With its parameters in braces. */
  path: string;
  /** The origin of the service, for the command to copy. */
  address: string;
  parameters: {
    name: string;
    place: "path" | "query" | "header";
    required: boolean;
    /** The only values that it may have. */
    choices?: string[];
  }[];
  /** An example, where the operation takes a body. */
  body?: { example: string; mediaType: string };
  accepts: ("session" | "apiKey" | "bearer")[];
  needsTenant: boolean;
  needsSite: boolean;
  /** Whether it changes something. */
  isChange: boolean;
  tenant: string;
  site: string;
  isSignedIn: boolean;
}

export type Credential = "own" | "apiKey" | "bearer" | "none";

/** The input of the form. The secret is kept only here. */
export interface Filled {
  credential: Credential;
  secret: string;
  tenant: string;
  site: string;
  /** Keyed by location and name, so that a query parameter and a header may have the same name. */
  values: Readonly<Record<string, string>>;
  body: string;
}

type Headers = [name: string, value: string][];

export type TriedParameter = TriedOperation["parameters"][number];

export const keyOf = ({ place, name }: TriedParameter) => `${place} ${name}`;

/** Headers for which the form has separate fields. */
const framed = ["X-Service-Tenant", "X-Service-Site", "X-Service-Request-Id"];

const places = ["path", "query", "header"] as const;

export const listFields = ({ parameters }: TriedOperation) =>
  places.flatMap((at) =>
    parameters.filter(({ name, place }) => place === at && !framed.includes(name)),
  );

/** The available kinds of credential, the likeliest first. */
export function listCredentials({ accepts, isSignedIn }: TriedOperation): Credential[] {
  if (accepts.length === 0) return ["none"];
  return [
    ...(accepts.includes("session") && isSignedIn ? (["own"] as const) : []),
    ...(accepts.includes("apiKey") ? (["apiKey"] as const) : []),
    ...(accepts.includes("bearer") ? (["bearer"] as const) : []),
  ];
}

export function startOf(operation: TriedOperation): Filled {
  const { tenant, body } = operation;
  const site = operation.needsSite ? operation.site : "";
  const [credential = "none"] = listCredentials(operation);
  return { credential, secret: "", tenant, site, values: {}, body: body?.example ?? "" };
}

/** The required parameters that are still empty, by name. */
export const missingOf = (operation: TriedOperation, { values }: Filled): string[] =>
  listFields(operation).flatMap((one) => (one.required && !values[keyOf(one)] ? [one.name] : []));

/** Path and query, as they are sent. */
export function targetOf(operation: TriedOperation, { values }: Filled): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[keyOf({ name, place: "path", required: true })];
    return value ? encodeURIComponent(value) : whole;
  });
  const query = new URLSearchParams(
    operation.parameters.flatMap((one): [string, string][] => {
      const value = one.place === "query" ? values[keyOf(one)] : undefined;
      return value ? [[one.name, value]] : [];
    }),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

const credentialHeader: Readonly<Record<Credential, (secret: string) => Headers>> = {
  own: () => [],
  none: () => [],
  apiKey: (secret) => [["X-Service-API-Key", secret]],
  bearer: (secret) => [["Authorization", `Bearer ${secret}`]],
};

function headersWith(operation: TriedOperation, filled: Filled, secret: string): Headers {
  const { tenant, site, values, credential, body } = filled;
  const own = listFields(operation).flatMap((one): Headers => {
    const value = one.place === "header" ? values[keyOf(one)] : undefined;
    return value ? [[one.name, value]] : [];
  });
  return [
    ...(operation.needsTenant && tenant ? ([["X-Service-Tenant", tenant]] as Headers) : []),
    ...(operation.needsTenant && site ? ([["X-Service-Site", site]] as Headers) : []),
    ...credentialHeader[credential](secret),
    ...own,
    ...(operation.body && body ? ([["Content-Type", operation.body.mediaType]] as Headers) : []),
  ];
}

/** The arguments of fetch. A key that was typed in is sent without the cookie of the session. */
export function requestOf(operation: TriedOperation, filled: Filled): [string, RequestInit] {
  const sent = operation.body && filled.body ? { body: filled.body } : {};
  return [
    targetOf(operation, filled),
    {
      method: operation.method,
      headers: headersWith(operation, filled, filled.secret.trim()),
      credentials: filled.credential === "own" ? "same-origin" : "omit",
      cache: "no-store",
      redirect: "manual",
      ...sent,
    },
  ];
}

/** The same request as a shell command, with the secret as a variable. */
export function curlOf(operation: TriedOperation, filled: Filled): string {
  const named: Readonly<Record<Credential, [string, ShellVariable][]>> = {
    own: [["X-Service-Session-Id", { variable: "SESSION" }]],
    apiKey: [["X-Service-API-Key", { variable: "API_KEY" }]],
    bearer: [["Authorization", { before: "Bearer ", variable: "TOKEN" }]],
    none: [],
  };
  const { credential } = filled;
  return curlLine({
    method: operation.method,
    url: `${operation.address}${targetOf(operation, filled)}`,
    headers: [
      ...headersWith(operation, { ...filled, credential: "none" }, ""),
      ...named[credential],
    ],
    isVerbose: true,
    ...(operation.body && filled.body ? { data: filled.body } : {}),
  });
}

export interface Tried {
  status: number;
  milliseconds: number;
  headers: Headers;
  body: string;
  /** Whether the body is longer than the shown part. */
  isCut: boolean;
}

const maxShown = 200_000;

/** The beginning of a body; the rest of a long one is not waited for. */
async function readBeginning(response: Response): Promise<[text: string, isCut: boolean]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += next.value;
    if (text.length < maxShown) continue;
    await reader?.cancel();
    return [text.slice(0, maxShown), true];
  }
  return [text, false];
}

function indented(text: string, isCut: boolean): string {
  if (isCut) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const maxMs = 30_000;

/** Sends the request once. Throws when there is no response. */
export async function tryRequest(operation: TriedOperation, filled: Filled): Promise<Tried> {
  const [target, init] = requestOf(operation, filled);
  const since = performance.now();
  const response = await fetch(target, { ...init, signal: AbortSignal.timeout(maxMs) });
  const [text, isCut] = await readBeginning(response);
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - since),
    headers: [...response.headers],
    body: indented(text, isCut),
    isCut,
  };
}
