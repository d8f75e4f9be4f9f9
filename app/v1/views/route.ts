import * as contract from "@/lib/features/views/contract";
import * as views from "@/lib/features/views/service";
import { methods } from "@/lib/http/methods";
import { created } from "@/lib/http/responses";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.listViews, ({ caller, query }) => views.listViews(caller, query)),
  POST: route(contract.createView, async (context) =>
    created(context, "/v1/views", await views.createView(context.caller, context.body)),
  ),
});
