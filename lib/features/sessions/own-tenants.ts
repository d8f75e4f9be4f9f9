import type { Caller } from "@/lib/access/caller";
import { findUsableTenant, listTenantsOf } from "@/lib/features/users/membership-rows";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { OwnTenant } from "./contract";

/** The tenants where the caller has a role and is not locked, newest first: each of these tenants is asked for its own row. */
export async function listOwnTenants(
  caller: Pick<Caller, "userId" | "homeTenantId">,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<OwnTenant>> {
  const { homeTenantId } = caller;
  const after = readCursor(
    cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const before = [after?.[0] ?? "9999-01-01T00:00:00Z", after?.[1] ?? ""] as const;
  const rows = await listTenantsOf(caller, before, limit + 1);
  const { items, next } = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  const found = await Promise.all(
    items.map(async ({ id }) => {
      const row = await findUsableTenant(id, caller);
      return row && { id, ...row, home: id === homeTenantId };
    }),
  );
  return { items: found.filter((one) => one !== undefined), next };
}
