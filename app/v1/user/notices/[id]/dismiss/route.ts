import * as contract from "@/lib/features/notices/contract";
import { dismissNotice } from "@/lib/features/notices/notices";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.dismissNotice, ({ caller, params }) => dismissNotice(caller, params.id)),
});
