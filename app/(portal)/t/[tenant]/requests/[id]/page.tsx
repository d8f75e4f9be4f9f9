import { answered, unlessMissing } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { requestKeys } from "@/components/request-log/query-keys";
import { RequestView } from "@/components/request-log/request-view";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { getRequest } from "@/lib/catalogue/explain";
import * as contract from "@/lib/features/request-log/contract";
import { remedyText } from "./remedy-text";

export const generateMetadata = titled(msg("Request"));

export default async function RequestPage({ params }: PageProps<"/t/[tenant]/requests/[id]">) {
  const { tenant, id } = await params;
  const path = `/t/${tenant}/requests/${id}`;
  const needs = { tenant, path, permission: "audit.read", isTenantWide: true } as const;
  return portalPage(needs, async (caller) => {
    // The view itself says when the request is missing or has expired.
    const found = await unlessMissing(getRequest(caller, id));
    return (
      <Seed
        queryKey={requestKeys.one(tenant, id)}
        data={found === undefined ? undefined : answered(contract.getRequest, found)}
      >
        <RequestView id={id} remedy={remedyText(found?.remedy ?? "")} />
      </Seed>
    );
  });
}
