import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/tenants/contract";
import { signUp } from "@/lib/tenants/sign-up";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.signUp, async ({ body, origin, answerHeaders }) => {
    const made = await signUp(body, origin);
    answerHeaders.Location = "/v1/tenant";
    return made;
  }),
});
