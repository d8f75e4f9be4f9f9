import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { ownDetailsFor } from "./own-details-for";

export const generateMetadata = titled(msg("Your details"));

export default async function OwnDetailsPage({ params }: PageProps<"/t/[tenant]/me">) {
  const { tenant } = await params;
  return portalPage({ tenant, path: `/t/${tenant}/me` }, ownDetailsFor);
}
