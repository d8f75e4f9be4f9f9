import * as contract from "@/lib/features/sessions/second-factors/passkey-contract";
import { passkeyOptions } from "@/lib/features/sessions/second-factors/passkeys";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createPasskeyOptions, ({ caller }) => passkeyOptions(caller)),
});
