import { lifetimeSeconds } from "@/lib/access/lifetimes";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";

/** How long shoppers' tokens live under this policy, and how long a refresh may be repeated. */
export function consumerLifetimes(policy: SecurityPolicy) {
  return {
    anonymousSeconds: policy.anonymousTokenSeconds ?? lifetimeSeconds("ANONYMOUS_TOKEN_TTL"),
    accessSeconds: policy.accessTokenSeconds ?? lifetimeSeconds("ACCESS_TOKEN_TTL"),
    refreshIdleSeconds: policy.refreshIdleSeconds ?? lifetimeSeconds("REFRESH_IDLE"),
    refreshAbsoluteSeconds: policy.refreshAbsoluteSeconds ?? lifetimeSeconds("REFRESH_ABSOLUTE"),
    refreshGraceSeconds: policy.refreshGraceSeconds ?? lifetimeSeconds("REFRESH_GRACE"),
  };
}
