import type { Caller } from "@/lib/access/caller";
import { userLockedSql } from "@/lib/access/locks";
import { read } from "@/lib/database/open";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/paging";
import type { OwnTenant } from "./contract";

interface Place {
  id: string;
  at: Date;
}

/** The home tenant, and where it says that the person is too. */
const places = `select p.id, p.at from (
    select m.member_tenant_id as id, m.noted_at as at from memberships m where m.tenant_id = $1 and m.user_id = $2
    union all select u.tenant_id, u.registered_at from users u where u.tenant_id = $1 and u.user_id = $2
  ) p where (p.at, p.id) < ($3::timestamptz, $4) order by p.at desc, p.id desc limit $5`;

const place = `select t.name, t.kind from tenants t join users u on u.tenant_id = $1
  where t.tenant_id = $1 and u.user_id = $2 and u.home_tenant_id = $3 and u.grants <> '' and not ${userLockedSql("u", "$4")}`;

/** The tenants where the caller has a role and is not locked, newest first: each of these tenants is asked for its own row. */
export async function listOwnTenants(
  caller: Pick<Caller, "userId" | "homeTenantId">,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<OwnTenant>> {
  const { userId, homeTenantId } = caller;
  const after = readCursor(
    cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const before = [after?.[0] ?? "9999-01-01T00:00:00Z", after?.[1] ?? ""];
  const rows = await read<Place>("own-tenants", places, [
    homeTenantId,
    userId,
    ...before,
    limit + 1,
  ]);
  const { items, next } = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  const found = await Promise.all(
    items.map(async ({ id }) => {
      const [row] = await read<Pick<OwnTenant, "name" | "kind">>("own-tenant", place, [
        id,
        userId,
        homeTenantId,
        new Date(),
      ]);
      return row && { id, ...row, home: id === homeTenantId };
    }),
  );
  return { items: found.filter((one) => one !== undefined), next };
}
