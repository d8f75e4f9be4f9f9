import * as contract from "@/lib/features/previews/releases/contract";
import * as releases from "@/lib/features/previews/releases/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getRelease, releases.getRelease),
  PATCH: route(contract.updateRelease, (context) =>
    releases.updateRelease(context, assertUnchangedBy(context, contract.getRelease)),
  ),
  DELETE: route(contract.deleteRelease, (context) =>
    releases.deleteRelease(context, assertUnchangedBy(context, contract.getRelease)),
  ),
});
