import * as contract from "@/lib/features/api-keys/contract";
import { reportLeak } from "@/lib/features/api-keys/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.reportLeak, ({ body, origin }) => reportLeak(body.apiKey, origin)),
});
