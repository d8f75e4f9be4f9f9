import { raiseAccessVersion } from "@/lib/access/access-versions";
import type { Transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { deleteOldestRows } from "./rows";

const maxSessionsPerUser = 20;

/** Ends the oldest sessions of a user past the maximum, each with its audit entry. True when any ended. */
export async function endOldestSessions(
  tx: Transaction,
  acting: Acting,
  userId: string,
): Promise<boolean> {
  const { tenantId } = acting;
  const refs = await deleteOldestRows(tx, { tenantId, userId }, maxSessionsPerUser);
  for (const id of refs)
    await record(tx, acting, { action: "session.ended", target: { type: "session", id } });
  if (refs.length > 0) await raiseAccessVersion(tx, tenantId);
  return refs.length > 0;
}
