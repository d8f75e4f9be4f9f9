import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { updateUser as updating } from "@/lib/users/administration-contract";
import { getUser as getting } from "@/lib/users/contract";
import { getUser } from "@/lib/users/service";
import { updateUser } from "@/lib/users/update";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(getting, ({ caller, params }) => getUser(caller, params.id)),
  PATCH: route(updating, ({ caller, params, body }) => updateUser(caller, params.id, body)),
});
