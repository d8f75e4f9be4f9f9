import * as contract from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getAlert, alerts.getAlert),
  PATCH: route(contract.updateAlert, (context) =>
    alerts.updateAlert(context, assertUnchangedBy(context, contract.getAlert)),
  ),
  DELETE: route(contract.deleteAlert, (context) =>
    alerts.deleteAlert(context, assertUnchangedBy(context, contract.getAlert)),
  ),
});
