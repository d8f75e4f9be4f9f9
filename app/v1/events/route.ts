import * as contract from "@/lib/features/events/contract";
import { listEvents } from "@/lib/features/events/service";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listEvents, listEvents),
});
