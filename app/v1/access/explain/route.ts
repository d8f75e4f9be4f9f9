import * as contract from "@/lib/access/contract";
import { explainAccess } from "@/lib/access/explain";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.explainAccess, ({ caller, body }) => explainAccess(caller, body)),
});
