import * as contract from "@/lib/features/users/contract";
import { requestConfirmation } from "@/lib/features/users/email-confirmation";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.requestEmailConfirmation, ({ caller }) => requestConfirmation(caller)),
});
