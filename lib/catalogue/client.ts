import type { z } from "zod";
import type { Endpoint } from "@/lib/protocol/endpoint";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import type { Contracts } from "./contracts";

type Declared = Extract<
  Contracts[keyof Contracts],
  { operation: string; credentials: readonly string[] }
>;

/** "METHOD /path/{parameter}" of every operation the contracts declare. */
export type Operation = Declared["operation"];

type Of<Name extends Operation> = Extract<Declared, { operation: Name }>;
type Parts<Name extends Operation> =
  Of<Name> extends Endpoint<infer Query, infer Body, infer Answer, string, infer _>
    ? { query: Query; body: Body; answer: Answer }
    : never;
type ParameterNames<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | ParameterNames<Rest>
  : never;

/** The response body of the operation as parsed JSON. */
export type Answer<Name extends Operation> = z.output<Parts<Name>["answer"]>;

interface Common {
  tenant: string;
  site?: string | undefined;
  /** Calls with this key instead of the portal's cookie. */
  apiKey?: string;
  /** Calls with this access token of a share instead of the portal's cookie. */
  share?: string;
  /** Goes into If-Match. */
  etag?: string;
  signal?: AbortSignal;
  /** Lets the request complete even if the user leaves the page. */
  keepalive?: boolean;
}

type WithQuery<Name extends Operation> = Parts<Name>["query"] extends z.ZodUndefined
  ? unknown
  : { query?: z.input<Parts<Name>["query"]> };
type WithBody<Name extends Operation> = Parts<Name>["body"] extends z.ZodUndefined
  ? unknown
  : { body: z.input<Parts<Name>["body"]> };
type WithParameters<Name extends Operation> = [ParameterNames<Name>] extends [never]
  ? unknown
  : { params: Record<ParameterNames<Name>, string> };

export type Input<Name extends Operation> = Common &
  WithQuery<Name> &
  WithBody<Name> &
  WithParameters<Name>;

/** A call that failed. `code` is the reason; act on it, never on the status. `network.unreachable`: there was no response at all. */
export class CallError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "network.unreachable";
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: CallError["code"],
    detail: string,
    more: { reason?: string; requestId?: string; retryAfterSeconds?: number } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.reason = more.reason;
    this.requestId = more.requestId;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

interface Exchange<Name extends Operation> {
  answer: Answer<Name>;
  status: number;
  /** The query of the next page, from the Link header. */
  next: URLSearchParams | undefined;
  etag: string | undefined;
  milliseconds: number;
}

/** Calls an operation as any client would. Throws CallError. */
export async function call<Name extends Operation>(
  operation: Name,
  input: Input<Name>,
): Promise<Answer<Name>> {
  return (await exchange(operation, input)).answer;
}

/** Like `call`, with the response's metadata. */
export async function exchange<Name extends Operation>(
  operation: Name,
  input: Input<Name>,
): Promise<Exchange<Name>> {
  const started = performance.now();
  const response = await send(operation, input);
  const milliseconds = Math.round(performance.now() - started);
  if (!response.ok) throw await failure(response);
  const answer = response.status === 204 ? undefined : await response.json();
  return {
    answer,
    status: response.status,
    next: nextPage(response.headers.get("link")),
    etag: etagOf(response),
    milliseconds,
  };
}

/** The options of a call whose bodies must be kept byte for byte. */
export interface TextInput extends Omit<Common, "apiKey"> {
  params?: Record<string, string>;
  query?: unknown;
  /** JSON, sent unchanged. */
  text?: string;
  /** The media type of the response, if it is not JSON. */
  accept?: string;
}

/** Calls an operation whose request or response body must be kept byte for byte. Throws CallError. */
export async function exchangeText(
  operation: Operation,
  input: TextInput,
): Promise<{ text: string; etag: string }> {
  const response = await send(operation, input);
  if (!response.ok) throw await failure(response);
  return { text: await response.text(), etag: etagOf(response) ?? "" };
}

/** The ETag as the service created it, always strong: a compressing proxy makes it weak, but If-Match needs it strong. */
const etagOf = ({ headers }: Response) => headers.get("etag")?.replace(/^W\//, "");

interface Loose extends Common, Pick<TextInput, "text" | "accept" | "query"> {
  body?: unknown;
  params?: Record<string, string>;
}

/**
 * Whether the page itself caused the read, to refresh data, on window focus, or for a retry: no click or key in the last seconds
 * can have caused it. Applies to every caller, whatever causes its reads.
 */
const isBackground = (method: string) =>
  method === "GET" &&
  typeof navigator !== "undefined" &&
  navigator.userActivation?.isActive === false;

async function send(
  operation: string,
  { tenant, site, apiKey, share, signal, query, body, params, keepalive = false, ...given }: Loose,
): Promise<Response> {
  const [method = "GET", template = "/"] = operation.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? ""),
  );
  const headers = new Headers({ Accept: given.accept ?? "application/json" });
  // At sign-up no tenant is sent, as none exists yet.
  if (tenant) headers.set("X-Service-Tenant", tenant);
  if (site) headers.set("X-Service-Site", site);
  if (apiKey) headers.set("X-Service-API-Key", apiKey);
  if (share) headers.set("X-Service-Preview-Share", share);
  // Does not count as a use of the session: an unattended page does not keep it from expiring.
  if (isBackground(method)) headers.set("X-Service-Background", "true");
  const text = given.text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (text !== undefined) headers.set("Content-Type", "application/json");
  if (given.etag) headers.set("If-Match", given.etag);
  try {
    return await fetch(path + queryText(query), {
      method,
      headers,
      cache: "no-store",
      credentials: apiKey || share ? "omit" : "same-origin",
      ...(text === undefined ? {} : { body: text }),
      ...(signal ? { signal } : {}),
      keepalive,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(
      0,
      "network.unreachable",
      "The service could not be reached. Check your connection and try again.",
    );
  }
}

function queryText(query: unknown): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== "") parameters.append(name, String(one));
  }
  return parameters.size > 0 ? `?${parameters}` : "";
}

async function failure(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => undefined);
  const text = (name: string) =>
    body !== null && typeof body === "object" && name in body
      ? String(Reflect.get(body, name))
      : undefined;
  const reason = text("reason");
  const requestId = response.headers.get("x-service-request-id") ?? undefined;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new CallError(
    response.status,
    (text("code") ?? "server.internal-error") as ErrorCode,
    text("detail") ?? "Something failed on our side.",
    {
      ...(reason === undefined ? {} : { reason }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    },
  );
}

function nextPage(link: string | null): URLSearchParams | undefined {
  const target = link?.match(/<([^>]*)>;\s*rel="next"/)?.[1];
  return target ? new URL(target, "http://any").searchParams : undefined;
}
