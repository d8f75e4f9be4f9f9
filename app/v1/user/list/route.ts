import { methods } from "@/lib/api/methods";
import { sendPage } from "@/lib/api/paging";
import { route } from "@/lib/api/route";
import * as contract from "@/lib/users/contract";
import { listAllUsers, listUserPage } from "@/lib/users/list";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listUsers, async (context) => {
    const { caller, query } = context;
    if (query.limit === undefined) return listAllUsers(caller, query);
    return sendPage(context, await listUserPage(caller, query, query.limit));
  }),
});
