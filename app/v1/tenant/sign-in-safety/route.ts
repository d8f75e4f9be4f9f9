import { getSignInSafety } from "@/lib/features/connections/enforcement";
import * as contract from "@/lib/features/connections/identity-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getSignInSafety, ({ caller }) => getSignInSafety(caller)),
});
