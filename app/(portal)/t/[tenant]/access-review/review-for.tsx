import type { z } from "zod";
import { firstPage } from "@/app/(portal)/first-page";
import { siteOnly } from "@/app/(portal)/portal-view";
import { Seed } from "@/components/shell/seed";
import { AccessReview } from "@/components/users/access-review";
import { userKeys } from "@/components/users/query-keys";
import type { Caller } from "@/lib/access/caller";
import * as contract from "@/lib/features/users/contract";
import { listUserPage } from "@/lib/features/users/list";
import { listRoles } from "@/lib/features/users/service";

type Query = z.output<typeof contract.ListUsersQuery>;

const shown = 25;
const listReviewed = (caller: Caller, query: Query) => listUserPage(caller, query, shown);

/** The access review with its first users; when each role was used last is read by the browser, row by row. */
export async function reviewFor(caller: Caller) {
  const site = siteOnly(caller);
  const asked = { limit: String(shown), fields: "+lastLoginAt,state" };
  const users = await firstPage(caller, contract.listUsers, listReviewed, asked);
  return (
    <Seed queryKey={userKeys.review(caller.tenantId, site)} data={users}>
      <AccessReview facts={listRoles()} site={site} />
    </Seed>
  );
}
