import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/api-keys/contract";
import { reportLeak } from "@/lib/api-keys/report-leak";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.reportLeak, ({ body, origin }) => reportLeak(body.apiKey, origin)),
});
