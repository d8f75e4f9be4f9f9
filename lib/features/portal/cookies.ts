import { EncryptJWT, jwtDecrypt } from "jose";
import { authenticate } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import {
  maxTenants,
  portalCookieName,
  portalSessions,
  sealSessions,
} from "@/lib/access/portal-cookie";
import { deriveKey, deriveKeys } from "@/lib/access/secret-key";
import { isCompactToken } from "@/lib/access/secrets";
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

/** Maximum lifetime of the portal's cookie; the sessions in it expire separately. */
export const maxCookieSeconds = 12 * 60 * 60;

export const isCookieSecure = (): boolean => publicUrl().startsWith("https://");

/** The sessions of the browser that sent the request, the newest last. */
export const sessionsOf = (read: ReadHeaders) => portalSessions(read.get("cookie") ?? "");

/** Ends a session that the portal's cookie refers to, by `endIt`; one that has already ended is not an error. */
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

/** The browser's sessions with the new one last; ends those that it replaces or displaces, while sessions opened from them continue. */
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

/*
 * Encrypted cookies with the state of a sign-in at a provider. Clients can neither read nor forge them, and only this host can set them
 * (`__Host-`).
 */

type Purpose = "flow" | "outcome";

const nameOf = (purpose: Purpose) =>
  `${isCookieSecure() ? "__Host-" : ""}gatehouse-sign-in-${purpose}`;

const secretOf = (purpose: Purpose) => `sign-in-${purpose}`;

/** The cookies of a request, decoded. */
export function cookiesOf(headers: Pick<Headers, "get">): Record<string, string> {
  const pairs = (headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    if (equals <= 0) return [];
    const value = pair.slice(equals + 1).trim();
    return [[pair.slice(0, equals).trim(), decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const attributes = (maxAgeSeconds: number) =>
  `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isCookieSecure() ? "; Secure" : ""}`;

/** A `Set-Cookie` header with the value. */
export async function sealedCookie(
  purpose: Purpose,
  value: object,
  maxAgeSeconds: number,
): Promise<string> {
  const sealed = await new EncryptJWT({ value })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(Math.floor(Date.now() / 1000) + maxAgeSeconds)
    .encrypt(deriveKey(secretOf(purpose)));
  return `${nameOf(purpose)}=${sealed}; ${attributes(maxAgeSeconds)}`;
}

/** A `Set-Cookie` header that deletes the cookie. */
export const withoutCookie = (purpose: Purpose) => `${nameOf(purpose)}=; ${attributes(0)}`;

/** The value of the browser's cookie; undefined if it is missing, forged or expired. */
export async function openCookie(
  purpose: Purpose,
  headers: Pick<Headers, "get">,
): Promise<unknown> {
  const sealed = cookiesOf(headers)[nameOf(purpose)];
  if (sealed === undefined || !isCompactToken(sealed, 5)) return undefined;
  for (const key of deriveKeys(secretOf(purpose))) {
    const found = await jwtDecrypt(sealed, key).catch(() => undefined);
    if (found) return found.payload.value;
  }
  return undefined;
}
