import * as contract from "@/lib/features/metrics/contract";
import * as metrics from "@/lib/features/metrics/events";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.recordCalls, ({ caller, body }) => metrics.recordBatch(caller, body)),
});
