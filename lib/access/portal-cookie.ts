import { EncryptJWT, jwtDecrypt } from "jose";
import { LRUCache } from "lru-cache";
import { perProcess } from "@/lib/protocol/per-process";
import { publicUrl } from "@/lib/protocol/settings";
import { deriveKey, deriveKeys } from "./secret-key";
import { isCompactToken } from "./secrets";

/** One session per tenant, the most recent sign-in last. */
export type PortalSessions = ReadonlyMap<string, string>;

/** The maximum number of tenants that a browser is signed in to. */
export const maxTenants = 5;
const plainName = "next-auth.session-token";
const hostName = `__Host-${plainName}`;
const none: ReadonlyMap<string, string> = new Map();

/**
 * The only name of the portal's cookie that is read and set. Over HTTPS browsers let only this host set it
 * (`__Host-`), so that a sibling host or a page without TLS cannot plant a session.
 */
export const portalCookieName = (): string =>
  publicUrl().startsWith("https://") ? hostName : plainName;

/** Opened cookies by their text, so that a cookie is decrypted once for the many calls of a page. */
const opened = perProcess(
  "opened-portal-cookies",
  () => new LRUCache<string, { sessions: PortalSessions; endsAt: number }>({ max: 500 }),
);

/** Seals the sessions into the text of the portal's cookie: a JWE that only this service can read. */
export async function sealSessions(
  sessions: PortalSessions,
  maxAgeSeconds: number,
): Promise<string> {
  return await new EncryptJWT({ sessions: [...sessions].slice(-maxTenants) })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + maxAgeSeconds)
    .encrypt(deriveKey("next-auth"));
}

/** The sessions in a sealed text; none if it was not sealed here or has expired. */
export async function openSessions(sealed: string): Promise<PortalSessions> {
  const known = opened().get(sealed);
  if (known) return known.endsAt > Date.now() ? known.sessions : none;
  if (!isCompactToken(sealed, 5)) return none;
  for (const key of deriveKeys("next-auth")) {
    const payload = await jwtDecrypt(sealed, key).then(
      (found) => found.payload,
      () => undefined,
    );
    if (!payload) continue;
    const sessions = readSessions(payload.sessions);
    opened().set(sealed, { sessions, endsAt: (payload.exp ?? 0) * 1000 });
    return sessions;
  }
  return none;
}

/** Reads the pairs of tenant and session id that a sealed cookie holds. */
export function readSessions(pairs: unknown): PortalSessions {
  return new Map(Array.isArray(pairs) ? pairs.filter(isPair) : []);
}

/** Every session that the portal's cookie refers to, by tenant. */
export async function portalSessions(cookieHeader: string): Promise<PortalSessions> {
  if (!cookieHeader.includes(plainName)) return none;
  const cookies = parseCookies(cookieHeader);
  const sealed = joined(cookies, portalCookieName());
  return sealed ? await openSessions(sealed) : none;
}

/** The session of that tenant in the portal's cookie. Only the store has its current state. */
export async function sessionIdFromCookie(
  cookieHeader: string,
  tenant: string,
): Promise<string | undefined> {
  return (await portalSessions(cookieHeader)).get(tenant);
}

/** next-auth cuts a long cookie into name.0, name.1 and so on. */
function joined(cookies: ReadonlyMap<string, string>, name: string): string {
  const whole = cookies.get(name);
  if (whole !== undefined) return whole;
  let text = "";
  for (let part = 0; ; part++) {
    const value = cookies.get(`${name}.${part}`);
    if (value === undefined) return text;
    text += value;
  }
}

function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return cookies;
}

function isPair(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string")
  );
}
