import * as contract from "@/lib/features/alerts/contract";
import { listAlertEntries } from "@/lib/features/alerts/service";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listAlertEntries, async (context) =>
    sendPage(context, await listAlertEntries(context)),
  ),
});
