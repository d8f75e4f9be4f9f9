import * as contract from "@/lib/features/notices/contract";
import { listNotices } from "@/lib/features/notices/notices";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listNotices, ({ caller }) => listNotices(caller)),
});
