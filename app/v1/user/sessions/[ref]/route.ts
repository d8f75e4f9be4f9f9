import * as contract from "@/lib/features/sessions/contract";
import * as sessions from "@/lib/features/sessions/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.endSession, ({ caller, params }) =>
    sessions.endSession(caller, params.ref),
  ),
});
