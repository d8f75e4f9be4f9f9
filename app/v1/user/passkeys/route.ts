import * as contract from "@/lib/features/sessions/second-factors/passkey-contract";
import { createPasskey } from "@/lib/features/sessions/second-factors/passkeys";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasskey, async (context) => {
    const passkey = await createPasskey(context.caller, context.body);
    return created(context, "/v1/user/second-factors", passkey);
  }),
});
