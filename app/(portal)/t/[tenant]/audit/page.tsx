import { firstPage } from "@/app/(portal)/first-page";
import { openDefaultView } from "@/app/(portal)/open-default-view";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { firstEntries, readAuditFilters } from "@/components/audit/audit-filters";
import { AuditView } from "@/components/audit/audit-view";
import { auditKeys } from "@/components/audit/query-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/audit/contract";
import { listAuditEvents } from "@/lib/features/audit/list";

export const generateMetadata = titled(msg("Audit"));

export default async function AuditPage(props: PageProps<"/t/[tenant]/audit">) {
  const [{ tenant }, query] = await Promise.all([props.params, props.searchParams]);
  const path = `/t/${tenant}/audit`;
  const needs = { tenant, path, permission: "audit.read", isTenantWide: true } as const;
  const filters = readAuditFilters((name) => one(query[name]) ?? "");
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "audit", path, query });
    const asked = firstEntries(filters);
    const found = await firstPage(caller, contract.listAuditEvents, listAuditEvents, asked);
    return (
      <Seed queryKey={auditKeys.list(tenant, filters)} data={found}>
        <AuditView />
      </Seed>
    );
  });
}
