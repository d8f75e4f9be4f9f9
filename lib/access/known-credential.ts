import { isCredentialCached } from "./access-versions";
import { findPresentedCredential } from "./authenticate";
import { readConsumerToken } from "./consumer-tokens";
import { readManagementBearer } from "./management-bearer";
import { portalSessions } from "./portal-cookie";
import { sha256 } from "./secrets";

type HeaderReader = Pick<Headers, "get">;

/**
 * Whether a request carries a credential that this process knows to be real without asking the store: a token that it
 * signed for somebody who signed in and that has not expired, or a session or API key that it looked up before. Whether
 * the credential may still be used is decided later. An anonymous token proves nothing: anybody gets one.
 */
export async function hasKnownCredential(headers: HeaderReader): Promise<boolean> {
  const tenantId = headers.get("x-service-tenant")?.trim() ?? "";
  const presented = await findPresentedCredential(headers, tenantId).catch(() => undefined);
  if (!presented) return false;
  const { kind, value } = presented;
  if (kind !== "bearer") return isCredentialCached(kind, tenantId, sha256(value));
  const token = await readConsumerToken(value);
  if (token) return token.kind === "customer" && token.expiresAt > Date.now();
  const bearer = await readManagementBearer(value, tenantId);
  return bearer !== undefined && bearer.expiresAt > Date.now();
}

/** Whether a browser has signed in: this process has looked up a session of its sealed cookie. */
export async function isSignedInBrowser(cookieHeader: string | undefined): Promise<boolean> {
  if (cookieHeader === undefined) return false;
  const sessions = await portalSessions(cookieHeader);
  return [...sessions].some(([tenantId, sessionId]) =>
    isCredentialCached("session", tenantId, sha256(sessionId)),
  );
}
