import type { Metadata } from "next";
import { sitePage } from "@/app/(portal)/site-page";
import { ReleasesPage } from "@/components/releases/releases-page";

export const metadata: Metadata = { title: "Releases" };

export default async function SiteReleasesPage({
  params,
}: PageProps<"/t/[tenant]/sites/[site]/releases">) {
  const { tenant, site } = await params;
  const permission = "preview.configuration.write";
  return sitePage({ tenant, site, area: "releases", permission }, async () => (
    <ReleasesPage key={site} site={site} />
  ));
}
