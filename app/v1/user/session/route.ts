import * as contract from "@/lib/features/sessions/contract";
import * as sessions from "@/lib/features/sessions/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(contract.getCurrentSession, ({ caller }) => sessions.getCurrentSession(caller)),
  DELETE: route(contract.endCurrentSession, async (context) => {
    const assertUnchanged = assertUnchangedBy(context, contract.getCurrentSession);
    await assertUnchanged(() => sessions.getCurrentSession(context.caller));
    await sessions.endCurrentSession(context.caller);
  }),
});
