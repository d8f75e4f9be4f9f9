import { firstPage } from "@/app/(portal)/first-page";
import { openDefaultView } from "@/app/(portal)/open-default-view";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { requestKeys } from "@/components/request-log/query-keys";
import { asRequestsQuery, readRequestFilters } from "@/components/request-log/requests-path";
import { RequestsView } from "@/components/request-log/requests-view";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/request-log/contract";
import { listRequests } from "@/lib/features/request-log/service";

export const generateMetadata = titled(msg("Requests"));

export default async function RequestsRoute(props: PageProps<"/t/[tenant]/requests">) {
  const [{ tenant }, query] = await Promise.all([props.params, props.searchParams]);
  const path = `/t/${tenant}/requests`;
  const needs = { tenant, path, permission: "audit.read", isTenantWide: true } as const;
  const filters = readRequestFilters((name) => one(query[name]) ?? "");
  const asked = { ...asRequestsQuery(filters), limit: "50" };
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "requests", path, query });
    const found = await firstPage(caller, contract.listRequests, listRequests, asked);
    return (
      <Seed queryKey={requestKeys.list(tenant, filters)} data={found}>
        <RequestsView />
      </Seed>
    );
  });
}
