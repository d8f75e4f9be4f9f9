import * as contract from "@/lib/features/metrics/contract";
import * as metrics from "@/lib/features/metrics/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getMetricsMetadata, ({ caller, query }) => metrics.metadata(caller, query)),
});
