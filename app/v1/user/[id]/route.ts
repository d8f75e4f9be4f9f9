import { updateUser as updating } from "@/lib/features/users/administration-contract";
import { getUser as getting } from "@/lib/features/users/contract";
import { getUser } from "@/lib/features/users/service";
import { updateUser } from "@/lib/features/users/update";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(getting, ({ caller, params }) => getUser(caller, params.id)),
  PATCH: route(updating, (context) => {
    const { caller, params, body } = context;
    return updateUser(caller, params.id, body, assertUnchangedBy(context, getting));
  }),
});
