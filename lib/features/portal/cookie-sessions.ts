import { authenticate } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import {
  maxTenants,
  portalCookieName,
  portalSessions,
  sealSessions,
} from "@/lib/access/portal-cookie";
import { endSingleSession } from "@/lib/features/sessions/service";
import { originOf } from "@/lib/http/origin";
import { isRejection } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";

type ReadHeaders = Pick<Headers, "get">;

/** A session of a tenant, by its id. */
export interface TenantSession {
  tenant: string;
  sessionId: string;
}

/** How long the portal's cookie lasts at most; the sessions in it end by themselves. */
export const maxCookieSeconds = 12 * 60 * 60;

export const isCookieSecure = (): boolean => publicUrl().startsWith("https://");

/** The sessions of the browser that sent the request, the one last signed in to last. */
export const sessionsOf = (read: ReadHeaders) => portalSessions(read.get("cookie") ?? "");

/** Ends a session that the portal's cookie refers to, by `endIt`; one that is over already is not an error. */
export async function endCookieSession(
  read: ReadHeaders,
  { tenant, sessionId }: TenantSession,
  endIt: (caller: Caller) => Promise<void>,
): Promise<void> {
  try {
    const credential = new Headers({ "x-service-session-id": sessionId });
    const { caller } = await authenticate(credential, {
      tenantId: tenant,
      accepted: ["session"],
      origin: originOf(read),
      operation: "POST /api/auth/signout",
    });
    await endIt(caller);
  } catch (error) {
    if (!isRejection(error)) throw error;
  }
}

/** The browser's sessions with the new one last; those it replaces or pushes out end, and sessions opened from them continue. */
export async function withSession(
  read: ReadHeaders,
  { tenant, sessionId }: TenantSession,
): Promise<[string, string][]> {
  const before = [...(await sessionsOf(read))];
  const kept = before.filter(([other]) => other !== tenant).slice(1 - maxTenants);
  const endOnlyOwn = (caller: Caller) => endSingleSession(caller, caller.credentialId);
  for (const pair of before)
    if (!kept.includes(pair)) {
      const [tenant, sessionId] = pair;
      await endCookieSession(read, { tenant, sessionId }, endOnlyOwn);
    }
  return [...kept, [tenant, sessionId]];
}

/** The `Set-Cookie` header that next-auth would send after this sign-in. */
export async function sessionCookie(read: ReadHeaders, added: TenantSession): Promise<string> {
  const sealed = await sealSessions(new Map(await withSession(read, added)), maxCookieSeconds);
  const expires = new Date(Date.now() + maxCookieSeconds * 1000).toUTCString();
  const secure = isCookieSecure() ? "; Secure" : "";
  return `${portalCookieName()}=${sealed}; Path=/; Expires=${expires}; HttpOnly; SameSite=Lax${secure}`;
}
