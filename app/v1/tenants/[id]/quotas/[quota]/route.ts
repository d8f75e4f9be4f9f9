import * as contract from "@/lib/features/quotas/contract";
import { setTenantQuota } from "@/lib/features/quotas/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(contract.setTenantQuota, ({ caller, params, body }) =>
    setTenantQuota(caller, params, body),
  ),
});
