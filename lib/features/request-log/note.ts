import { newId } from "@/lib/database/ids";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/request-context";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { redact, redactPath, redactReason } from "./redact";
import { isSampled, markSampled } from "./sample";
import { type LoggedRequest, type LogPart, partOf, writeRequests } from "./write";

const tickMilliseconds = 2000;
/** Kept of one tenant between two writes: each part is filled by its own requests only. */
const maxQueued: Record<LogPart, number> = { failures: 400, strangers: 20, successes: 100 };
/** Anybody may name tenants, those that do not exist too: strangers leave room for the others. */
const maxTenants: Record<LogPart, number> = { failures: 400, strangers: 200, successes: 400 };
/** Of all tenants together: successes leave room for what failed. */
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
  /** Set from the first request that waits until it is written: one write at a time. */
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

/** Puts a request into its tenant's queue, which is written later. False where there is no room, or no tenant was named. */
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

/** Notes a request that failed, and a sample of those that succeeded: written later, and dropped where there are too many. */
function note(completed: CompletedRequest): void {
  const { status, context } = completed;
  if (status < 400) sample(completed);
  else if (context.error) enqueue(completed, partOf(status, context.caller?.kind));
}

/** Writes what was noted, one tenant at a time. What cannot be written is logged and dropped. */
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

/** Writes all that was noted so far. */
export function flushRequests(): Promise<void> {
  const current = state();
  current.written = current.written.then(writeQueued);
  return current.written;
}

/** Begins to note requests, once per process. */
export function startLoggingRequests(): void {
  if (state().isStarted) return;
  state().isStarted = true;
  onCompletedRequest(note);
}
