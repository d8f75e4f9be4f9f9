import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { KeysPage } from "@/components/api-keys/keys-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("API keys"));

export default async function TenantKeysPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/keys">) {
  const { tenant } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/keys`;
  const needs = {
    tenant,
    path,
    permission: "api-key.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "keys", path, query });
    return <KeysPage />;
  });
}
