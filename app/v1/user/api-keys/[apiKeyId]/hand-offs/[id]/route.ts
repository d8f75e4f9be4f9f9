import * as contract from "@/lib/features/api-keys/hand-offs/contract";
import { withdrawHandOff } from "@/lib/features/api-keys/hand-offs/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(contract.withdrawManagedHandOff, (context) => withdrawHandOff(context, "managed")),
});
