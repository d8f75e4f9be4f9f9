import * as contract from "@/lib/features/sessions/second-factors/contract";
import {
  countRecoveryCodes,
  createRecoveryCodes,
} from "@/lib/features/sessions/second-factors/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.countRecoveryCodes, ({ caller }) => countRecoveryCodes(caller)),
  POST: route(contract.createRecoveryCodes, ({ caller }) => createRecoveryCodes(caller)),
});
