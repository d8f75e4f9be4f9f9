import * as contract from "@/lib/features/verification/contract";
import { listRevocations } from "@/lib/features/verification/revocations";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listRevocations, listRevocations),
});
