import { one, portalPage } from "@/app/(portal)/portal-page";
import { siteOnly } from "@/app/(portal)/portal-view";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { AccessReview } from "@/components/users/access-review";
import { listRoles } from "@/lib/features/users/service";

export const generateMetadata = titled(msg("Access review"));

export default async function AccessReviewPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/access-review">) {
  const { tenant } = await params;
  const site = one((await searchParams).site);
  const path = `/t/${tenant}/access-review`;
  return portalPage({ tenant, path, permission: "user.manage", site }, async (caller) => (
    <AccessReview facts={listRoles()} site={siteOnly(caller)} />
  ));
}
