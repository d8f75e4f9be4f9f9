import * as contract from "@/lib/catalogue/access-contract";
import { explainAccess } from "@/lib/catalogue/explain";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.explainAccess, ({ caller, body }) => explainAccess(caller, body)),
});
