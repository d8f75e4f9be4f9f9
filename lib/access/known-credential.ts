import { findPresentedCredential } from "./authenticate";
import { readConsumerToken } from "./consumer-tokens";
import { isCredentialCached } from "./credential-store";
import { readManagementBearer } from "./management-bearer";
import { portalSessions } from "./portal-cookie";
import { sha256 } from "./secrets";

type HeaderReader = Pick<Headers, "get">;

/**
 * Whether a request carries a credential that this process knows to be real without asking the store: a token that it
 * signed, or a session or API key that it looked up before. Whether the credential may still be used is judged later.
 */
export async function hasKnownCredential(headers: HeaderReader): Promise<boolean> {
  const tenantId = headers.get("x-service-tenant")?.trim() ?? "";
  const presented = await findPresentedCredential(headers, tenantId).catch(() => undefined);
  if (!presented) return false;
  const { kind, value, fromCookie } = presented;
  if (fromCookie) return true;
  if (kind !== "bearer") return isCredentialCached(kind, tenantId, sha256(value));
  return (
    (await readConsumerToken(value)) !== undefined ||
    (await readManagementBearer(value, tenantId)) !== undefined
  );
}

/** Whether a browser has signed in: its cookie was sealed by this service and has not expired. */
export async function isSignedInBrowser(cookieHeader: string | undefined): Promise<boolean> {
  return cookieHeader !== undefined && (await portalSessions(cookieHeader)).size > 0;
}
