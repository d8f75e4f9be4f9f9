import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { KeysPage } from "@/components/api-keys/keys-page";

export const metadata: Metadata = { title: "API keys" };

export default async function TenantKeysPage({ params }: PageProps<"/t/[tenant]/keys">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/keys`,
    permission: "api-key.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <KeysPage />);
}
