import * as contract from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";
import { created } from "@/lib/http/created";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sendPage } from "@/lib/http/send-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAlerts, async (context) =>
    sendPage(context, await alerts.listAlerts(context.caller, context.query)),
  ),
  POST: route(contract.createAlert, async (context) =>
    created(context, "/v1/alerts", await alerts.createAlert(context.caller, context.body)),
  ),
});
