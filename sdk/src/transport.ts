import { CallError, errorOf } from "./errors.js";
import type { CallOptions } from "./methods.js";

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface Prepared {
  method: string;
  url: string;
  headers: Headers;
  body?: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** Splits an input into path, query and body of an operation. */
export function locate(
  template: string,
  { body, ...given }: Values,
): [path: string, body: unknown] {
  const rest: Record<string, unknown> = { ...given };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === "") throw new TypeError(`${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one));
  return [query.size > 0 ? `${path}?${query}` : path, body];
}

/** A signal that aborts with the caller's, or after the timeout. */
function deadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const follow = () => controller.abort();
  signal?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", follow);
    },
  };
}

const timedOut = (timeoutMs: number, cause: unknown) =>
  new CallError("network.timed-out", 0, `There was no response within ${timeoutMs} ms.`, { cause });

const unreachable = (url: string, cause: unknown) =>
  new CallError("network.unreachable", 0, `${new URL(url).origin} cannot be reached.`, { cause });

/** Sends once and reads the whole response. Throws CallError, or the signal's reason. */
export async function sendOnce(
  { url, ...request }: Prepared,
  send: typeof fetch,
  { signal, timeoutMs = 30_000 }: Pick<CallOptions, "signal" | "timeoutMs">,
): Promise<RawResponse> {
  signal?.throwIfAborted();
  const limit = deadline(timeoutMs, signal);
  let response: Response;
  let text: string;
  try {
    response = await send(url, {
      ...request,
      redirect: "error",
      signal: limit.signal,
    } as RequestInit);
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw limit.signal.aborted ? timedOut(timeoutMs, cause) : unreachable(url, cause);
  } finally {
    limit.clear();
  }
  if (!response.ok && response.status !== 304) throw errorOf(response, text);
  return { status: response.status, headers: response.headers, text };
}
