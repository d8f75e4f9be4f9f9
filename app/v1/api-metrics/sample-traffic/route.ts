import * as contract from "@/lib/features/metrics/contract";
import * as sample from "@/lib/features/metrics/sample-traffic";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(contract.addSampleTraffic, ({ caller }) => sample.addSampleTraffic(caller)),
  DELETE: route(contract.removeSampleTraffic, ({ caller }) => sample.removeSampleTraffic(caller)),
});
