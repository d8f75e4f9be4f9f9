import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/metrics/contract";
import * as metrics from "@/lib/metrics/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.exportCounts, metrics.exportCounts),
});
