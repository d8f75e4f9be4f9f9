import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/sessions/contract";
import { switchSession } from "@/lib/sessions/switch";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.switchSession, ({ caller, body }) => switchSession(caller, body.tenant)),
});
