import * as contract from "@/lib/features/api-keys/hand-offs/contract";
import * as handOffs from "@/lib/features/api-keys/hand-offs/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createManagedHandOff, handOffs.sendNewManagedHandOff),
});
