import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/customers/contract";
import * as own from "@/lib/customers/own-profile";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomerProfile, async (context) => own.sendProfile(context, await own.getOwnProfile(context.caller))),
  PATCH: route(contract.updateCustomerProfile, async (context) =>
    own.sendProfile(context, await own.updateOwnProfile(context.caller, context.body, context.request.headers)),
  ),
  DELETE: route(contract.deleteCustomerProfile, ({ caller, request }) => own.deleteOwnProfile(caller, request.headers)),
});
