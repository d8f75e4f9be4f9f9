import * as contract from "@/lib/features/views/contract";
import * as views from "@/lib/features/views/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route(contract.updateView, views.updateView),
  DELETE: route(contract.deleteView, views.deleteView),
});
