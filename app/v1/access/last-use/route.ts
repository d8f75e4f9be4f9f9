import * as contract from "@/lib/catalogue/access-contract";
import { findLastUse } from "@/lib/catalogue/last-use";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getLastUse, ({ caller, query }) => findLastUse(caller, query)),
});
