import * as contract from "@/lib/features/sessions/second-factors/contract";
import { deleteSecondFactor } from "@/lib/features/sessions/second-factors/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.deleteSecondFactor, ({ caller, params }) =>
    deleteSecondFactor(caller, params.id),
  ),
});
