import { getCustomer } from "@/lib/features/customers/customer-queries";
import { eraseCustomer } from "@/lib/features/customers/erase";
import * as contract from "@/lib/features/customers/staff-contract";
import { assertUnchangedBy } from "@/lib/http/conditional-write";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCustomer, ({ caller, params }) => getCustomer(caller, params.id)),
  DELETE: route(contract.eraseCustomer, (context) => {
    const { caller, params, body } = context;
    const assertUnchanged = assertUnchangedBy(context, contract.getCustomer);
    return eraseCustomer(caller, params.id, body, assertUnchanged);
  }),
});
