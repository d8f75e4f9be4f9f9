import { newId } from "@/lib/database/ids";
import type { refusedRequests } from "@/lib/database/schema/schema";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/completed-request";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { redact } from "./redact";
import { writeRejectedRequests } from "./write";

const tickMilliseconds = 2000;
/** Kept of one tenant between two writes; strangers fill their own part only. */
const maxQueued = { known: 100, stranger: 20 } as const;
const maxTenants = 200;

export type RejectedRequest = typeof refusedRequests.$inferInsert;

interface TenantQueue {
  known: RejectedRequest[];
  stranger: RejectedRequest[];
}

interface State {
  isStarted: boolean;
  byTenant: Map<string, TenantQueue>;
  timer: NodeJS.Timeout | undefined;
}

const state = perProcess<State>("request-log-queue", () => ({
  isStarted: false,
  byTenant: new Map(),
  timer: undefined,
}));

function rejectedRequestOf(
  { request, context, method, template, status, durationMs }: CompletedRequest,
  tenantId: string,
  code: string,
): RejectedRequest {
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
    path: redact(new URL(request.url).pathname),
    status,
    code,
    reason: reason === undefined ? null : redact(reason),
    siteId: isSlug(site) ? site : null,
    credentialKind: caller?.kind ?? null,
    credentialId: caller?.credentialId || null,
    userId: caller?.userId || null,
    address: origin.address,
    agent: redact(headers.get("user-agent") ?? ""),
    durationMs: Math.round(durationMs),
  };
}

/** Notes a request that was rejected or failed, if it named a tenant: written later, and dropped where there are too many. */
function note(completed: CompletedRequest): void {
  const { request, context, status } = completed;
  if (status < 400) return;
  const tenantId = request.headers.get("x-service-tenant")?.trim() ?? "";
  const code = context.error?.code;
  if (code === undefined || !isSlug(tenantId)) return;
  const current = state();
  const queued = current.byTenant.get(tenantId) ?? { known: [], stranger: [] };
  const part = context.caller ? "known" : "stranger";
  const hasRoom =
    queued[part].length < maxQueued[part] &&
    (current.byTenant.has(tenantId) || current.byTenant.size < maxTenants);
  if (!hasRoom) return;
  queued[part].push(rejectedRequestOf(completed, tenantId, code));
  current.byTenant.set(tenantId, queued);
  current.timer ??= setTimeout(() => void flushRejectedRequests(), tickMilliseconds).unref();
}

/** Writes what was noted, one tenant at a time. What cannot be written is logged and dropped. */
export async function flushRejectedRequests(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  const { byTenant } = current;
  Object.assign(current, { byTenant: new Map(), timer: undefined });
  for (const [tenantId, { known, stranger }] of byTenant) {
    await writeRejectedRequests(tenantId, [...known, ...stranger]).catch((error: unknown) =>
      log().warn({ err: error }, "rejected requests could not be stored"),
    );
  }
}

/** Begins to note rejections, once per process. */
export function startRecordingRejections(): void {
  if (state().isStarted) return;
  state().isStarted = true;
  onCompletedRequest(note);
}
