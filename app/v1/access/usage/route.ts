import * as contract from "@/lib/features/verification/contract";
import { reportUsage } from "@/lib/features/verification/usage";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.reportUsage, ({ caller, body }) => reportUsage(caller, body)),
});
