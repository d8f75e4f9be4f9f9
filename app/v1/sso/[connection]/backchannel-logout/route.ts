import * as contract from "@/lib/features/connections/identity-contract";
import { endSessionsByProvider } from "@/lib/features/connections/provider-sign-out";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.endSessionsByProvider, ({ params, body, origin }) =>
    endSessionsByProvider(params.connection, body.logout_token, origin),
  ),
});
