import * as contract from "@/lib/features/quotas/contract";
import { listQuotas } from "@/lib/features/quotas/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listQuotas, ({ caller }) => listQuotas(caller.tenantId)),
});
