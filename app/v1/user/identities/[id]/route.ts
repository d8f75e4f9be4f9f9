import { deleteIdentity } from "@/lib/features/connections/identities";
import * as contract from "@/lib/features/connections/identity-contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.deleteIdentity, ({ caller, params }) => deleteIdentity(caller, params.id)),
});
