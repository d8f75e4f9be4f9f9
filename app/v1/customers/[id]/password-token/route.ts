import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as care from "@/lib/customers/care";
import * as contract from "@/lib/customers/staff-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasswordToken, ({ caller, params }) => care.createPasswordToken(caller, params.id)),
});
