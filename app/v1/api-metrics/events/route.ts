import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/metrics/contract";
import * as metrics from "@/lib/metrics/events";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.recordCalls, ({ caller, body }) => metrics.recordBatch(caller, body)),
});
