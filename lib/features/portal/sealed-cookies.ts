import { EncryptJWT, jwtDecrypt } from "jose";
import { deriveKey, deriveKeys } from "@/lib/access/secret-key";
import { isCompactToken } from "@/lib/access/secrets";
import { isCookieSecure } from "./cookie-sessions";

/*
 * Small things that a browser carries for the service while somebody signs in at a provider. Each is encrypted, so that nobody reads or
 * makes one, and only this host can set it (`__Host-`).
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

/** A `Set-Cookie` header that deletes it. */
export const withoutCookie = (purpose: Purpose) => `${nameOf(purpose)}=; ${attributes(0)}`;

/** What the browser carries; undefined for nothing, or what was not made here or has expired. */
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
