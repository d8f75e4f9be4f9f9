import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import * as sessions from "@/lib/sessions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.endSession, ({ caller, params }) => sessions.endSession(caller, params.ref)),
});
