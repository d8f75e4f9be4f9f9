import * as contract from "@/lib/features/previews/releases/contract";
import * as releases from "@/lib/features/previews/releases/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.cancelRelease, releases.cancelRelease),
});
