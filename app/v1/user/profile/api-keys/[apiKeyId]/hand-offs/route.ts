import * as contract from "@/lib/features/key-hand-offs/contract";
import * as handle from "@/lib/features/key-hand-offs/handle";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(contract.createHandOff, handle.create),
});
