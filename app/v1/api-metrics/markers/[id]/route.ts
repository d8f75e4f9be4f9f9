import * as contract from "@/lib/features/metrics/markers/contract";
import { deleteMarker } from "@/lib/features/metrics/markers/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.deleteMarker, ({ caller, params }) => deleteMarker(caller, params.id)),
});
