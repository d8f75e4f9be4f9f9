import * as contract from "@/lib/features/alerts/contract";
import { testAlert } from "@/lib/features/alerts/replay";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.testAlert, testAlert),
});
