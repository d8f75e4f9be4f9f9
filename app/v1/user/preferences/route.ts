import * as contract from "@/lib/features/users/contract";
import * as preferences from "@/lib/features/users/rows";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getPreferences, ({ caller }) => preferences.getPreferences(caller)),
  PUT: route(contract.setPreferences, (context) => {
    const assertUnchanged = assertUnchangedBy(context, contract.getPreferences);
    return preferences.setPreferences(context.caller, context.body, assertUnchanged);
  }),
});
