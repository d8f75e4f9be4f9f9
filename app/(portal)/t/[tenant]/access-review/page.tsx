import type { z } from "zod";
import { firstPage } from "@/app/(portal)/first-page";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { siteOnly } from "@/app/(portal)/portal-view";
import { titled } from "@/app/titled";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { AccessReview } from "@/components/users/access-review";
import { userKeys } from "@/components/users/query-keys";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/users/contract";
import { listUserPage } from "@/lib/features/users/list";
import { listRoles } from "@/lib/features/users/service";

export const generateMetadata = titled(msg("Access review"));

type Query = z.output<typeof contract.ListUsersQuery>;

const listReviewed = (caller: Caller, query: Query) => listUserPage(caller, query, 25);

export default async function AccessReviewPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/access-review">) {
  const { tenant } = await params;
  const site = one((await searchParams).site);
  const path = `/t/${tenant}/access-review`;
  return portalPage({ tenant, path, permission: "user.manage", site }, async (caller) => {
    const only = siteOnly(caller);
    const asked = { limit: "25", fields: "+lastLoginAt,state" };
    const users = await firstPage(caller, contract.listUsers, listReviewed, asked);
    return (
      <Seed queryKey={userKeys.review(tenant, only)} data={users}>
        <AccessReview facts={listRoles()} site={only} />
      </Seed>
    );
  });
}
