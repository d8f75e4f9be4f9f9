import { CallError } from "@/lib/catalogue/client";
import type { FlowIntent } from "@/lib/features/portal/values";

interface Way {
  tenant: string;
  /** The id of the connection. */
  connection: string;
  intent: FlowIntent;
  /** The token of the invitation that is accepted. */
  invitation?: string | undefined;
  /** The tenant of the session that a step-up is for. */
  acting?: string | undefined;
  /** The page to open afterwards. */
  next?: string | undefined;
}

interface Answered {
  url?: string;
  code?: CallError["code"];
  detail?: string;
  reason?: string;
}

const unreachable = () =>
  new CallError(0, "network.unreachable", "The service could not be reached.");

/**
 * Starts a sign-in at a provider and returns the address to open: the provider, or the page that shows the error.
 * The browser gets the cookies that the answer is bound to. Throws CallError.
 */
export async function addressOfProvider({
  tenant,
  connection,
  intent,
  invitation,
  acting,
  next,
}: Way): Promise<string> {
  const attempt = async () => {
    const csrf = await fetch("/api/auth/csrf", { cache: "no-store" });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const more = { ...(invitation && { invitation }), ...(next !== undefined && { next }) };
    const fields = { csrfToken, intent, ...more, ...(acting && { acting }) };
    const path = `/api/auth/signin/${tenant}.${connection}`;
    return fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  };
  const response = await attempt().catch(() => {
    throw unreachable();
  });
  const { url, code, detail = "", reason } = (await response.json().catch(() => ({}))) as Answered;
  if (url !== undefined) return url;
  const requestId = response.headers.get("x-service-request-id");
  throw new CallError(response.status, code ?? "server.internal-error", detail, {
    ...(reason !== undefined && { reason }),
    ...(requestId !== null && { requestId }),
  });
}

/** The address to sign out at the provider (`TENANT.CONNECTION`), or that of a portal page that says why this failed. */
export async function addressOfSignOut(providerId: string): Promise<string> {
  const asked = fetch(`/api/auth/signout/${providerId}`, { method: "POST" });
  const answered: Answered = await asked.then((one) => one.json()).catch(() => ({}));
  return answered.url ?? "/sign-in";
}

/*
 * Connects the window of a step-up at a provider with the page that waits for it. They use a
 * channel because a provider may cut the opener reference between them.
 */

const channelName = "gatehouse.stepped-up";

/** Called by the window once the service has recorded the proof. */
export function announceStepUp(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("done");
  channel.close();
}

/** Calls back when a window has announced it. Returns a function that stops it. */
export function followStepUp(onDone: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = onDone;
  return () => channel.close();
}
