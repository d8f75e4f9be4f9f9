import { firstPage } from "@/app/(portal)/first-page";
import { sitePage } from "@/app/(portal)/site-page";
import { titled } from "@/app/titled";
import { releasesKey } from "@/components/releases/query-keys";
import { ReleasesPage } from "@/components/releases/releases-page";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/previews/releases/contract";
import { listReleases } from "@/lib/features/previews/releases/service";

export const generateMetadata = titled(msg("Releases"));

export default async function SiteReleasesPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/releases">) {
  const { tenant, site } = await params;
  const permission = "preview.configuration.write";
  return sitePage({ tenant, site, area: "releases", permission }, async (caller) => {
    const found = await firstPage(caller, contract.listReleases, listReleases, { limit: "50" });
    return (
      <Seed queryKey={releasesKey(tenant, site)} data={found}>
        <ReleasesPage key={site} site={site} />
      </Seed>
    );
  });
}
