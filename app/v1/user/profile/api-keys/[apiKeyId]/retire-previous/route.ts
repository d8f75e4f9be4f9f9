import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { retirePreviousSecret } from "@/lib/api-keys/rotate";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.retirePreviousSecret, ({ caller, params }) => retirePreviousSecret(caller, params.apiKeyId)),
});
