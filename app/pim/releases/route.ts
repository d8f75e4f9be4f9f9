import * as contract from "@/lib/features/previews/releases/contract";
import * as releases from "@/lib/features/previews/releases/service";
import { created } from "@/lib/http/created";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sendPage } from "@/lib/http/send-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listReleases, async (context) =>
    sendPage(context, await releases.listReleases(context.caller, context.query)),
  ),
  POST: route(contract.createRelease, async (context) =>
    created(context, "/pim/releases", await releases.createRelease(context)),
  ),
});
