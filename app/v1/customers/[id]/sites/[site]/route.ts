import * as membership from "@/lib/features/customers/membership";
import * as contract from "@/lib/features/customers/staff-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(contract.addCustomerToSite, ({ caller, params }) =>
    membership.addToSite(caller, params.id, params.site),
  ),
  DELETE: route(contract.removeCustomerFromSite, ({ caller, params }) =>
    membership.removeFromSite(caller, params.id, params.site),
  ),
});
