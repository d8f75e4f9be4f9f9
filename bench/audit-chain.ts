import { asc, eq } from "drizzle-orm";
import { closeStore, db, openStore } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { chainHash, emptyHead } from "@/lib/features/audit/chain";

/** Recomputes every hash of a tenant's audit trail. Returns the number of entries and the number of the first one whose hash differs. */
export async function firstBrokenEntry(
  dataDir: string,
  tenantId: string,
): Promise<{ entries: number; broken?: number }> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  try {
    const entries = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, tenantId))
      .orderBy(asc(auditEvents.seq));
    let head: Buffer = emptyHead;
    for (const [index, entry] of entries.entries()) {
      const { previousHash, hash } = entry;
      const isNext =
        entry.seq === index + 1 && previousHash.equals(head) && chainHash(head, entry).equals(hash);
      if (!isNext) return { entries: entries.length, broken: entry.seq };
      head = hash;
    }
    return { entries: entries.length };
  } finally {
    await closeStore();
  }
}
