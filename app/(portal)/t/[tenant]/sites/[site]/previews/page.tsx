import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalPage } from "@/app/(portal)/portal-page";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { listKey } from "@/components/previews/keys";
import { PreviewsView } from "@/components/previews/previews-view";
import { Seed } from "@/components/shell/seed";
import { listPreviews } from "@/lib/features/previews/list";

export const metadata: Metadata = { title: "Previews" };

export default async function PreviewsPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/previews">) {
  const { tenant, site } = await params;
  const needs = {
    tenant,
    site,
    path: `/t/${tenant}/sites/${site}/previews`,
    permission: "preview.configuration.read",
  } as const;
  return portalPage(needs, async (caller) => {
    if (caller.siteId !== site) notFound();
    const { items } = await listPreviews(caller, { limit: 200, deleted: false });
    return (
      <Seed queryKey={listKey(tenant, site)} data={items}>
        <PreviewsView site={site} mayWrite={mayWrite(caller)} />
      </Seed>
    );
  });
}
