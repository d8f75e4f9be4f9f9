import type { z } from "zod";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { userLockedSql } from "@/lib/access/locks";
import { rolesWith } from "@/lib/access/roles";
import { read } from "@/lib/database/open";
import { inEffectSql } from "@/lib/features/users/role-rows";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { Holder, HoldersQuery } from "./access-contract";

interface Row {
  id: string;
  login: string;
  name: string;
  lock: boolean;
  grants: string;
}

const statement = `select u.user_id as id, u.login, u.name, ${userLockedSql("u", "$6")} as lock, u.grants from users u
  where u.tenant_id = $1 and u.state <> 'deactivated' and u.login > $4
    and exists (select 1 from role_assignments h where h.tenant_id = $1 and h.user_id = u.user_id and ${inEffectSql("h")} and h.role_id = any($2) and h.site_id = any($3))
  order by u.login limit $5`;

function rolesOf(
  grants: string,
  giving: readonly string[],
  places: readonly string[],
): Holder["roles"] {
  const { roleIds, sites } = parseGrants(grants);
  const held = [
    ["", roleIds] as const,
    ...Object.entries(sites).map(([site, at]) => [site, at.roleIds] as const),
  ];
  return held
    .filter(([place]) => places.includes(place))
    .flatMap(([place, ids]) =>
      ids
        .filter((id) => giving.includes(id))
        .map((role) => ({ role, ...(place !== "" && { site: place }) })),
    );
}

/** The users with the permission in the whole tenant, or at the given site; a site's manager sees only that site's roles. */
export async function listHolders(
  caller: Caller,
  query: z.output<typeof HoldersQuery>,
): Promise<Page<Holder>> {
  const giving = rolesWith(query.permission);
  const site = siteOfScope(caller, "user.read");
  const places =
    site === undefined ? ["", ...(query.site === undefined ? [] : [query.site])] : [site];
  const [after = ""] = readCursor(query.cursor, 1) ?? [];
  const rows = await read<Row>("holders", statement, [
    caller.tenantId,
    giving,
    places,
    after,
    query.limit + 1,
    new Date(),
  ]);
  const page = cutPage(rows, query.limit, (row) => [row.login]);
  return {
    items: page.items.map(({ grants, ...row }) => ({
      ...row,
      roles: rolesOf(grants, giving, places),
    })),
    next: page.next,
  };
}
