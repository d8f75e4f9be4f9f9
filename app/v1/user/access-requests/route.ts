import * as requests from "@/lib/features/users/access-requests";
import * as contract from "@/lib/features/users/access-requests-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAccessRequests, ({ caller }) => requests.listAccessRequests(caller)),
  POST: route(contract.askForAccess, ({ caller, body }) => requests.askForAccess(caller, body)),
});
