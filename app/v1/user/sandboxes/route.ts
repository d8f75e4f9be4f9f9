import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/tenants/contract";
import { createSandbox } from "@/lib/tenants/sandboxes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createSandbox, async ({ caller, body, answerHeaders }) => {
    const made = await createSandbox(caller, body);
    answerHeaders.Location = "/v1/tenant";
    return made;
  }),
});
