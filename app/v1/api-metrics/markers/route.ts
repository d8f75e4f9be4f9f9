import * as contract from "@/lib/features/metrics/markers/contract";
import * as markers from "@/lib/features/metrics/markers/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listMarkers, async (context) =>
    sendPage(context, await markers.listMarkers(context.caller, context.query)),
  ),
  POST: route(contract.createMarker, ({ caller, body }) => markers.createMarker(caller, body)),
});
