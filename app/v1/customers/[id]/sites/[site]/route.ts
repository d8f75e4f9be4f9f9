import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as membership from "@/lib/customers/membership";
import * as contract from "@/lib/customers/staff-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(contract.addCustomerToSite, ({ caller, params }) => membership.addToSite(caller, params.id, params.site)),
  DELETE: route(contract.removeCustomerFromSite, ({ caller, params }) => membership.removeFromSite(caller, params.id, params.site)),
});
