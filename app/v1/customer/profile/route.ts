import * as contract from "@/lib/features/customers/contract";
import * as own from "@/lib/features/customers/own-profile";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomerProfile, (context) =>
    own.sendProfile(context, own.getOwnProfile(context.caller)),
  ),
  PATCH: route(contract.updateCustomerProfile, (context) =>
    own.sendProfile(context, own.updateOwnProfile(context)),
  ),
  DELETE: route(contract.deleteCustomerProfile, own.deleteOwnProfile),
});
