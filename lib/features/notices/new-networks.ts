import { networkAt } from "@/lib/access/networks";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { readEntriesAbout } from "@/lib/features/audit/entries-about";

/** How many of the latest sign-ins are looked at. */
const maxSignIns = 200;
/** How many of the latest entries they are looked for in: sign-ins are rare among those of somebody whose program writes all day. */

/**
 * Sign-ins since an instant from a network that none of the sign-ins before it came from. The oldest sign-in that is known
 * counts as expected, so that a new account starts without a notice.
 */
export async function newNetworks(
  tenantId: string,
  userId: string,
  since: Date,
): Promise<AuditEvent[]> {
  const { entries } = await readEntriesAbout({
    tenantId,
    actorId: userId,
    only: "signIns",
    limit: maxSignIns,
  });
  const seen = new Set<string>();
  const found: AuditEvent[] = [];
  for (const entry of entries.toReversed()) {
    const network = networkAt(entry.address ?? "", "network") ?? "";
    const isFirst = seen.size === 0;
    if (!isFirst && !seen.has(network) && entry.occurredAt >= since.toISOString())
      found.push(entry);
    seen.add(network);
  }
  return found;
}
