import { type ConsumerToken, readConsumerToken } from "@/lib/access/consumer-tokens";
import { tokenStatus } from "@/lib/access/token-revocations";
import type { Purpose } from "./check";
import type { Verdict } from "./contract";
import { type Code, maxCacheSeconds } from "./values";

async function checkToken(
  token: ConsumerToken,
  { permission, site }: Purpose,
  now: number,
): Promise<Code> {
  if (token.expiresAt <= now) return "EXPIRED";
  const state = await tokenStatus(token.tenantId, token.familyRef, token.customerId);
  if (state === "ended") return "REVOKED";
  if (state === "locked") return "LOCKED";
  if (site !== undefined && site !== token.siteId) return "WRONG_SITE";
  // Permissions are of management users: no customer has one.
  return permission === undefined ? "VALID" : "INSUFFICIENT_PERMISSION";
}

/**
 * The answer about the access token of a customer; undefined for a text that is not one of this tenant. An anonymous token
 * proves nothing, since anybody gets one, and is as unknown as any other text.
 */
export async function verifyCustomerToken(
  tenantId: string,
  text: string,
  purpose: Purpose,
): Promise<Verdict | undefined> {
  const token = await readConsumerToken(text);
  if (token?.kind !== "customer" || token.tenantId !== tenantId) return undefined;
  const now = Date.now();
  const code = await checkToken(token, purpose, now);
  const known = {
    code,
    kind: "customer" as const,
    credentialId: token.familyRef,
    subject: token.customerId,
    expiresAt: new Date(token.expiresAt).toISOString(),
  };
  if (code !== "VALID") return { ...known, active: false, cacheFor: 0 };
  const left = Math.floor((token.expiresAt - now) / 1000);
  const cacheFor = Math.max(0, Math.min(maxCacheSeconds, left));
  return { ...known, active: true, permissions: [], sites: [token.siteId], cacheFor };
}
