import * as contract from "@/lib/features/tenants/contract";
import { signUp } from "@/lib/features/tenants/sign-up";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.signUp, async ({ body, origin, answerHeaders }) => {
    const made = await signUp(body, origin);
    answerHeaders.Location = "/v1/tenant";
    return made;
  }),
});
