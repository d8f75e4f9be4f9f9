import * as contract from "@/lib/features/connections/contract";
import * as connections from "@/lib/features/connections/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getConnection, connections.getConnection),
  PATCH: route(contract.updateConnection, (context) =>
    connections.updateConnection(context, assertUnchangedBy(context, contract.getConnection)),
  ),
  DELETE: route(contract.deleteConnection, (context) =>
    connections.deleteConnection(context, assertUnchangedBy(context, contract.getConnection)),
  ),
});
