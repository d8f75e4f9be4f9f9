import { and, eq } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { judge, openSession } from "./login";
import { findPersonIn } from "./login-candidate";

/** Opens a session for the caller in another tenant. Throws 403, the same for a tenant without the caller and for one that does not exist. */
export async function switchSession(
  caller: Caller,
  tenant: string,
): Promise<{ sessionId: string; ref: string }> {
  const { requestId, address, agent } = caller;
  const entrant = await findPersonIn(tenant, caller);
  if (!entrant)
    throw new ApiError(
      "user.no-role",
      `You have no role in the tenant "${tenant}". Ask an administrator there.`,
      "portal.default",
    );
  judge(entrant);
  const sessionId = await openSession(tenant, entrant, undefined, { requestId, address, agent });
  const [opened] = await db()
    .select({ ref: sessions.sessionRef })
    .from(sessions)
    .where(and(eq(sessions.tenantId, tenant), eq(sessions.secretHash, sha256(sessionId))));
  return { sessionId, ref: opened?.ref ?? "" };
}
