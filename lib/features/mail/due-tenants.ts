import { globalStatements } from "@/lib/database/global";
import { readAllTenants } from "@/lib/database/tenant-scans";

/** The next tenants in order of their ids with mails that are due. */
export async function tenantsWithMails(now: Date, after: string): Promise<string[]> {
  const rows = await readAllTenants<{ tenantId: string }>(
    "tenants-with-mails",
    globalStatements.tenantsWithMails,
    [now, after],
  );
  return rows.map(({ tenantId }) => tenantId);
}
