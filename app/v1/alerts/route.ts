import * as contract from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAlerts, async (context) =>
    sendPage(context, await alerts.listAlerts(context.caller, context.query)),
  ),
  POST: route(contract.createAlert, async (context) =>
    created(context, "/v1/alerts", await alerts.createAlert(context.caller, context.body)),
  ),
});
