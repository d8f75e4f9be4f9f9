import { newId } from "@/lib/database/ids";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/request-context";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { cut } from "@/lib/protocol/text";
import {
  isSampled,
  type LoggedRequest,
  type LogPart,
  markSampled,
  partOf,
  writeRequests,
} from "./write";

const maxLength = 256;

/** Sessions, keys, link tokens and JWTs that a caller put in the wrong place. */
const secrets = /\b(sv[a-z]_)[A-Za-z0-9]{8,}|\beyJ[\w-]+(?:\.[\w-]+)*|\b[A-Za-z0-9_-]{40,}\b/g;

/** The at sign of an address, including its fullwidth forms, and percent-encoded once or repeatedly. */
const atSign = /[@\uff20\ufe6b]|%(?:25)*(?:40|ef%(?:25)*bc%(?:25)*a0|ef%(?:25)*b9%(?:25)*ab)/i;

/**
 * Removes the parts that look like an e-mail address, which callers use to look up customers and users. Checks each part once: one
 * pattern for the whole text would take quadratic time, and any client may send a long path.
 */
const withoutAddresses = (text: string, separator: RegExp): string =>
  text
    .split(separator)
    .map((part) => (part.length > 1 && atSign.test(part) ? "..." : part))
    .join("");

/** A path without the segments that look like an e-mail address, and without what looks like a secret. */
export const redactPath = (path: string): string => redact(withoutAddresses(path, /(\/)/));

/** The same for the reason of a rejection, which may contain names of members and parameters from the request. */
export const redactReason = (reason: string): string =>
  redact(withoutAddresses(reason, /([/,?\s])/));

/** Removes what looks like a secret, and cuts the text to 256 characters. */
export function redact(text: string): string {
  const safe = text
    .replace(secrets, (_, prefix?: string) => `${prefix ?? ""}...`)
    .replaceAll("\0", "");
  return cut(safe, maxLength, "");
}

const tickMilliseconds = 2000;
/** Queued per tenant between two writes: each part has a separate limit. */
const maxQueued: Record<LogPart, number> = { failures: 400, strangers: 20, successes: 100 };
/** Any client may name any tenant, even unknown ones: the limit for strangers leaves capacity for the others. */
const maxTenants: Record<LogPart, number> = { failures: 400, strangers: 200, successes: 400 };
/** For all tenants together: the limit for successes leaves capacity for failures. */
const maxQueuedInAll: Record<LogPart, number> = {
  failures: 10_000,
  strangers: 5000,
  successes: 5000,
};

type TenantQueue = Record<LogPart, LoggedRequest[]>;

interface State {
  isStarted: boolean;
  byTenant: Map<string, TenantQueue>;
  queued: number;
  /** Set from the first queued request until the write: one write at a time. */
  timer: NodeJS.Timeout | undefined;
  written: Promise<void>;
}

const state = perProcess<State>("request-log-queue", () => ({
  isStarted: false,
  byTenant: new Map(),
  queued: 0,
  timer: undefined,
  written: Promise.resolve(),
}));

function loggedRequestOf(
  { request, context, method, template, status, durationMs }: CompletedRequest,
  tenantId: string,
): LoggedRequest {
  const { headers } = request;
  const { origin, caller, error } = context;
  const reason = error?.reason;
  const site = headers.get("x-service-site")?.trim() ?? "";
  return {
    tenantId,
    refusalId: newId("req"),
    requestId: origin.requestId,
    occurredAt: new Date(),
    method,
    template: template ?? null,
    path: redactPath(new URL(request.url).pathname),
    status,
    code: error?.code ?? "",
    reason: reason === undefined ? null : redactReason(reason),
    siteId: isSlug(site) ? site : null,
    credentialKind: caller?.kind ?? null,
    credentialId: caller?.credentialId || null,
    userId: caller?.userId || null,
    address: origin.address,
    agent: redact(headers.get("user-agent") ?? ""),
    durationMs: Math.round(durationMs),
  };
}

/** Adds a request to its tenant's queue, which is written later. False if the queue is full, or the request has no tenant. */
function enqueue(completed: CompletedRequest, part: LogPart): boolean {
  const tenantId = completed.request.headers.get("x-service-tenant")?.trim() ?? "";
  if (!isSlug(tenantId)) return false;
  const current = state();
  const queue = current.byTenant.get(tenantId) ?? { failures: [], strangers: [], successes: [] };
  const hasRoom =
    queue[part].length < maxQueued[part] &&
    current.queued < maxQueuedInAll[part] &&
    (current.byTenant.has(tenantId) || current.byTenant.size < maxTenants[part]);
  if (!hasRoom) return false;
  queue[part].push(loggedRequestOf(completed, tenantId));
  current.queued += 1;
  current.byTenant.set(tenantId, queue);
  schedule(current);
  return true;
}

/** One success of each management credential, operation, status and minute; shoppers' are counted by the metrics only. */
function sample(completed: CompletedRequest): void {
  const { context, template, method, status } = completed;
  const credentialId = context.caller?.credentialId ?? "";
  if (credentialId === "" || template === undefined) return;
  const combination = { credentialId, template, method, status };
  const now = Date.now();
  if (isSampled(combination, now)) return;
  if (enqueue(completed, "successes")) markSampled(combination, now);
}

/** Queues a failed request, or a sample of the successful ones: written later, and dropped if there are too many. */
function note(completed: CompletedRequest): void {
  const { status, context } = completed;
  if (status < 400) sample(completed);
  else if (context.error) enqueue(completed, partOf(status, context.caller?.kind));
}

/** Writes the queued requests, one tenant at a time. On failure they are dropped and the error is logged. */
async function writeQueued(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  const { byTenant } = current;
  Object.assign(current, { byTenant: new Map(), queued: 0 });
  for (const [tenantId, { failures, strangers, successes }] of byTenant) {
    await writeRequests(tenantId, [...failures, ...strangers, ...successes]).catch(
      (error: unknown) => log().warn({ err: error }, "logged requests could not be stored"),
    );
  }
  current.timer = undefined;
  if (current.byTenant.size > 0) schedule(current);
}

function schedule(current: State): void {
  current.timer ??= setTimeout(() => void flushRequests(), tickMilliseconds).unref();
}

/** Writes all requests that are queued so far. */
export function flushRequests(): Promise<void> {
  const current = state();
  current.written = current.written.then(writeQueued);
  return current.written;
}

/** Starts logging requests, once per process. */
export function startLoggingRequests(): void {
  if (state().isStarted) return;
  state().isStarted = true;
  onCompletedRequest(note);
}
