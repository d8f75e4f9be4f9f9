import { firstPage } from "@/app/(portal)/first-page";
import { openDefaultView } from "@/app/(portal)/open-default-view";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { firstKeys, readKeyFilter } from "@/components/api-keys/key-filters";
import { KeysPage } from "@/components/api-keys/managed-keys";
import { keyKeys } from "@/components/api-keys/query-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { listManagedKeys } from "@/lib/features/api-keys/admin-list";
import * as contract from "@/lib/features/api-keys/managing-contract";

export const generateMetadata = titled(msg("API keys"));

export default async function KeysRoute(props: PageProps<"/t/[tenant]/keys">) {
  const [{ tenant }, query] = await Promise.all([props.params, props.searchParams]);
  const path = `/t/${tenant}/keys`;
  const needs = { tenant, path, permission: "api-key.manage", isTenantWide: true } as const;
  const filter = readKeyFilter(one(query.show));
  const asked = firstKeys(filter);
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "keys", path, query });
    const found = await firstPage(caller, contract.listManagedKeys, listManagedKeys, asked);
    return (
      <Seed queryKey={keyKeys.managedList(tenant, undefined, filter)} data={found}>
        <KeysPage />
      </Seed>
    );
  });
}
