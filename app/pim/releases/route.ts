import * as contract from "@/lib/features/previews/releases/contract";
import * as releases from "@/lib/features/previews/releases/service";
import { methods } from "@/lib/http/methods";
import { created, sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listReleases, async (context) =>
    sendPage(context, await releases.listReleases(context.caller, context.query)),
  ),
  POST: route(contract.createRelease, async (context) =>
    created(context, "/pim/releases", await releases.createRelease(context)),
  ),
});
