import * as contract from "@/lib/features/sessions/contract";
import { switchSession } from "@/lib/features/sessions/switch";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.switchSession, ({ caller, body }) => switchSession(caller, body.tenant)),
});
