import { one, portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { reviewFor } from "./review-for";

export const generateMetadata = titled(msg("Access review"));

export default async function AccessReviewPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/access-review">) {
  const { tenant } = await params;
  const site = one((await searchParams).site);
  const path = `/t/${tenant}/access-review`;
  return portalPage({ tenant, path, permission: "user.manage", site }, reviewFor);
}
