import { isNavigation } from "@/components/shell/navigation-request";
import type { PortalView } from "@/components/shell/portal-view";
import { noteFirstTime, noteServerTime, serverAheadMs } from "@/components/ui/clock";

/** The known state of a session. Times are milliseconds of this browser's clock. */
export interface SessionState {
  /** The end of its lifetime, regardless of use. */
  endsAt: number;
  lengthMs: number;
  /** The last use, and the idle timeout. */
  usedAt: number;
  idleMs: number | undefined;
}

export interface SessionWarning {
  /** `end`: the end of the lifetime; `idle`: the idle timeout, which any use extends. */
  kind: "end" | "idle";
  at: number;
}

const longestNoticeMs = 5 * 60_000;

/** The time between the warning and the end: five minutes, or a tenth of a shorter lifetime. */
export const noticeMs = (lengthMs: number): number => Math.min(longestNoticeMs, lengthMs / 10);

/** The current warning, and the time at which it changes. */
export function warningOf(
  { endsAt, lengthMs, usedAt, idleMs = Number.POSITIVE_INFINITY }: SessionState,
  now: number,
): { warning: SessionWarning | undefined; changesAt: number | undefined } {
  const idleAt = usedAt + idleMs;
  const isOver = now >= Math.min(endsAt, idleAt);
  if (isOver) return { warning: undefined, changesAt: undefined };
  const endFrom = endsAt - noticeMs(lengthMs);
  if (now >= endFrom) return { warning: { kind: "end", at: endsAt }, changesAt: endsAt };
  if (idleAt >= endsAt) return { warning: undefined, changesAt: endFrom };
  const idleFrom = idleAt - noticeMs(idleMs);
  if (now >= idleFrom)
    return { warning: { kind: "idle", at: idleAt }, changesAt: Math.min(idleAt, endFrom) };
  return { warning: undefined, changesAt: Math.min(endFrom, idleFrom) };
}

/**
 * The ends of this browser's sessions, as known to its tabs, which notify one another of each use and sign-in. The
 * idle timeout cannot be queried from the service, because the query would count as a use.
 */
interface Known extends Pick<SessionState, "lengthMs" | "idleMs"> {
  /** In the server's time, as are the next two. */
  serverEndsAt: number;
  /** The time of the server's response. */
  asOf: number;
}

interface Told {
  tenant: string;
  usedAt?: number;
  end?: Pick<Known, "serverEndsAt" | "asOf">;
}

const sessions = new Map<string, Known>();
/** The last use of each session. */
const uses = new Map<string, number>();
const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** The version of the state: increases with each change. */
let version = 0;

function changed(): void {
  version++;
  for (const listener of listeners) listener();
}

function learn({ tenant, usedAt = 0, end }: Told): void {
  uses.set(tenant, Math.max(uses.get(tenant) ?? 0, usedAt));
  const known = sessions.get(tenant);
  if (known && end && end.asOf > known.asOf) sessions.set(tenant, { ...known, ...end });
  changed();
}

function listen(): void {
  if (channel || typeof BroadcastChannel === "undefined") return;
  channel = new BroadcastChannel("gatehouse.sessions");
  channel.onmessage = ({ data }: MessageEvent<Told>) => learn(data);
}

/** Here and in the other tabs. */
function tell(told: Told): void {
  learn(told);
  channel?.postMessage(told);
}

/** Takes over the session data of the page; the request for the page was a use. */
export function startSession({ tenant, session }: PortalView): void {
  listen();
  const { now, endsAt, lengthSeconds, idleSeconds } = session;
  const end = { asOf: Date.parse(now), serverEndsAt: Date.parse(endsAt) };
  noteFirstTime(end.asOf);
  // A page from the router's cache has old data.
  if ((sessions.get(tenant)?.asOf ?? 0) >= end.asOf) return;
  const idleMs = idleSeconds === undefined ? undefined : idleSeconds * 1000;
  sessions.set(tenant, { ...end, lengthMs: lengthSeconds * 1000, idleMs });
  tell({ tenant, usedAt: end.asOf - serverAheadMs(), end });
}

/** After signing in again: the new session has its own end. */
export function renewSession(tenant: string, endsAt: string): void {
  const usedAt = Date.now();
  const asOf = usedAt + serverAheadMs();
  tell({ tenant, usedAt, end: { asOf, serverEndsAt: Date.parse(endsAt) } });
}

/**
 * The tenant whose session a request uses: from the header of a call or the path of a page. Prefetches
 * and automatic requests of a page do not use the session.
 */
function tenantOf(input: RequestInfo | URL, init: RequestInit | undefined): string | undefined {
  const headers = new Headers(init?.headers);
  if (init?.credentials === "omit" || headers.has("x-service-background")) return undefined;
  if (!headers.has("rsc")) return headers.get("x-service-tenant") ?? undefined;
  if (!isNavigation(init)) return undefined;
  const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
  return /^\/t\/([^/]+)/.exec(pathname)?.[1];
}

/** The redirect to sign-in in the body of a page: its response has started with 200, so the router has to redirect. */
const signInRedirect = /"digest":"NEXT_REDIRECT;[a-z]+;\/sign-in\?/;

/**
 * Whether the server accepted the session of a request. False in doubt: then the notice is early
 * rather than missing.
 */
async function usedSession(init: RequestInit | undefined, response: Response): Promise<boolean> {
  const { ok, status, redirected } = response;
  if (redirected || !(ok || status === 304)) return false;
  if (!isNavigation(init)) return true;
  // A copy, because the router reads the body. An aborted navigation fails here.
  const text = response.clone().text();
  return text.then(
    (page) => !signInRedirect.test(page),
    () => false,
  );
}

/** Records that a request has used a session, and the server's time. */
export async function noteRequest(
  [input, init]: Parameters<typeof fetch>,
  response: Response,
  sentAt: number,
): Promise<void> {
  const tenant = tenantOf(input, init);
  // Any other response may come from the browser's cache, with an old time.
  if (tenant === undefined) return;
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isFinite(date)) noteServerTime(date);
  if (await usedSession(init, response)) tell({ tenant, usedAt: sentAt });
}

export function findSession(tenant: string): SessionState | undefined {
  const known = sessions.get(tenant);
  if (!known) return undefined;
  const { serverEndsAt, lengthMs, idleMs } = known;
  const usedAt = uses.get(tenant) ?? 0;
  return { endsAt: serverEndsAt - serverAheadMs(), lengthMs, usedAt, idleMs };
}

export const sessionsVersion = (): number => version;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
