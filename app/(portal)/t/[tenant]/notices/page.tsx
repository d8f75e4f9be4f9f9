import { portalPage } from "@/app/(portal)/portal-page";
import { noticesFor } from "@/app/(portal)/t/[tenant]/home-for";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Notices"));

export default async function NoticesRoute({ params }: PageProps<"/t/[tenant]/notices">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}/notices` }, noticesFor);
}
