import { sitePage } from "@/app/(portal)/site-page";
import { titled } from "@/app/titled";
import { ReleasesPage } from "@/components/releases/releases-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Releases"));

export default async function SiteReleasesPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/releases">) {
  const { tenant, site } = await params;
  const permission = "preview.configuration.write";
  return sitePage({ tenant, site, area: "releases", permission }, async () => (
    <ReleasesPage key={site} site={site} />
  ));
}
