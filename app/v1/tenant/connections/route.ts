import * as contract from "@/lib/features/connections/contract";
import * as connections from "@/lib/features/connections/service";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

const path = "/v1/tenant/connections";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listConnections, ({ caller }) => connections.listConnections(caller)),
  POST: route(contract.createConnection, async (context) =>
    created(context, path, await connections.createConnection(context.caller, context.body)),
  ),
});
