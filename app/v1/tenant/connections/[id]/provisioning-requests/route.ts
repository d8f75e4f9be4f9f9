import * as contract from "@/lib/features/connections/provisioning/contract";
import { listProvisioningRequests } from "@/lib/features/connections/provisioning/tokens";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listProvisioningRequests, async (context) =>
    sendPage(
      context,
      await listProvisioningRequests(context.caller, context.params.id, context.query),
    ),
  ),
});
