import * as contract from "@/lib/features/users/contract";
import { listAllUsers, listUserPage } from "@/lib/features/users/list";
import { methods } from "@/lib/http/methods";
import { sendPage } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUsers, async (context) => {
    const { caller, query } = context;
    if (query.limit === undefined) return listAllUsers(caller, query);
    return sendPage(context, await listUserPage(caller, query, query.limit));
  }),
});
