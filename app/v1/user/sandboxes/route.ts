import * as contract from "@/lib/features/tenants/contract";
import { createSandbox } from "@/lib/features/tenants/sandboxes";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createSandbox, async ({ caller, body, answerHeaders }) => {
    const made = await createSandbox(caller, body);
    answerHeaders.Location = "/v1/tenant";
    return made;
  }),
});
