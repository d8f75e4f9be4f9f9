import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { securityPolicy } from "@/lib/tenants/service";

/** How long the tenant's tokens of signed-in customers live, and how long a refresh may be repeated. */
export async function consumerLifetimes(tenantId: string) {
  const policy = await securityPolicy(tenantId);
  return {
    accessSeconds: policy.accessTokenSeconds ?? lifetimeSeconds("ACCESS_TOKEN_TTL"),
    refreshIdleSeconds: policy.refreshIdleSeconds ?? lifetimeSeconds("REFRESH_IDLE"),
    refreshAbsoluteSeconds: policy.refreshAbsoluteSeconds ?? lifetimeSeconds("REFRESH_ABSOLUTE"),
    refreshGraceSeconds: policy.refreshGraceSeconds ?? lifetimeSeconds("REFRESH_GRACE"),
  };
}
