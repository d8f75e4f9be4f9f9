import { z } from "zod";
import { cardAnswer, firstPage } from "@/app/(portal)/first-page";
import { siteOnly } from "@/app/(portal)/portal-view";
import { Seeds } from "@/components/shell/seed";
import { AccessReview } from "@/components/users/access-review";
import { userKeys } from "@/components/users/query-keys";
import type { Caller } from "@/lib/access/caller";
import { LastUse } from "@/lib/catalogue/access-contract";
import { findLastUses } from "@/lib/catalogue/last-use";
import * as contract from "@/lib/features/users/contract";
import { listUserPage } from "@/lib/features/users/list";
import { listRoles } from "@/lib/features/users/service";

type Query = z.output<typeof contract.ListUsersQuery>;

const shown = 20;
const listReviewed = (caller: Caller, query: Query) => listUserPage(caller, query, shown);

const LastUses = z.record(z.string(), LastUse);
const Listed = z.array(z.object({ id: z.string() }));

/** The last uses of the given users' roles, in one read. If it fails, the rows send their own requests. */
async function lastUsesOf(caller: Caller, site: string | undefined, ids: string[]) {
  const there = site === undefined ? caller : { ...caller, siteId: site };
  const found = await cardAnswer({ answer: LastUses }, findLastUses(there, ids));
  return Object.entries(LastUses.parse(found ?? {})).map(
    ([id, use]) => [userKeys.lastUse(caller.tenantId, id, site), use] as const,
  );
}

/** The access review with its first users and the last uses of their roles. */
export async function reviewFor(caller: Caller) {
  const site = siteOnly(caller);
  const asked = { limit: String(shown), fields: "+lastLoginAt,state" };
  const users = await firstPage(caller, contract.listUsers, listReviewed, asked);
  const ids = Listed.parse(users?.pages[0].items ?? []).map(({ id }) => id);
  const uses = await lastUsesOf(caller, site, ids);
  return (
    <Seeds entries={[[userKeys.review(caller.tenantId, site), users], ...uses]}>
      <AccessReview facts={listRoles()} site={site} />
    </Seeds>
  );
}
