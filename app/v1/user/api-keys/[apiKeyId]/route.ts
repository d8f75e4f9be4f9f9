import { getManagedKey } from "@/lib/features/api-keys/admin-list";
import { limitManagedKey } from "@/lib/features/api-keys/change";
import * as contract from "@/lib/features/api-keys/managing-contract";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getManagedKey, ({ caller, params }) =>
    getManagedKey(caller, params.apiKeyId),
  ),
  PATCH: route(contract.updateManagedKey, (context) =>
    limitManagedKey(context, assertUnchangedBy(context, contract.getManagedKey)),
  ),
});
