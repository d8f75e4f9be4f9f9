import * as contract from "@/lib/features/customers/contract";
import * as own from "@/lib/features/customers/own-profile";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomerProfile, async (context) =>
    own.sendProfile(context, await own.getOwnProfile(context.caller)),
  ),
  PATCH: route(contract.updateCustomerProfile, async (context) =>
    own.sendProfile(
      context,
      await own.updateOwnProfile(context.caller, context.body, context.request.headers),
    ),
  ),
  DELETE: route(contract.deleteCustomerProfile, ({ caller, request }) =>
    own.deleteOwnProfile(caller, request.headers),
  ),
});
