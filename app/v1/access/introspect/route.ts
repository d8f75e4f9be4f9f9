import * as contract from "@/lib/features/verification/contract";
import { introspectToken } from "@/lib/features/verification/verify";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.introspectToken, ({ caller, body }) => introspectToken(caller, body)),
});
