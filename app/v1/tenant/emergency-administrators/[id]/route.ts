import * as administrators from "@/lib/features/users/emergency-administrators";
import * as contract from "@/lib/features/users/emergency-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(contract.addEmergencyAdministrator, ({ caller, params }) =>
    administrators.addEmergencyAdministrator(caller, params.id),
  ),
  DELETE: route(contract.removeEmergencyAdministrator, ({ caller, params }) =>
    administrators.removeEmergencyAdministrator(caller, params.id),
  ),
});
