import { eq } from "drizzle-orm";
import type { z } from "zod";
import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { type TenantRow, tenantPage } from "@/lib/database/global";
import { transactionFor } from "@/lib/database/held-transactions";
import { db, type Executor, transaction } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { createUser } from "@/lib/features/users/create";
import { issueLink } from "@/lib/features/users/password-links";
import type { AssertUnchanged } from "@/lib/http/answer";
import { ApiError } from "@/lib/protocol/errors";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { NewTenant, Tenant } from "./contract";
import { createTenant } from "./create";
import { assertTenantIdFree, idTaken } from "./sign-up";

const answerOf = ({ createdAt, ...row }: TenantRow): Tenant => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

/** Every tenant, newest first; for support only. */
export async function listTenants({
  limit,
  cursor,
}: {
  limit: number;
  cursor?: string | undefined;
}): Promise<Page<Tenant>> {
  const after = readCursor(
    cursor,
    2,
    (value, index) => index === 1 || parseInstant(value) !== undefined,
  );
  const before = {
    createdAt: after ? new Date(after[0] ?? "") : new Date("9999-01-01T00:00:00Z"),
    id: after?.[1] ?? "",
  };
  const page = cutPage(await tenantPage(before, limit + 1), limit, (row) => [
    row.createdAt.toISOString(),
    row.id,
  ]);
  return { items: page.items.map(answerOf), next: page.next };
}

/** One tenant. Throws 404. */
export async function findTenant(tenantId: string, on: Executor = db()): Promise<Tenant> {
  const columns = {
    id: tenants.tenantId,
    name: tenants.name,
    kind: tenants.kind,
    createdAt: tenants.createdAt,
  };
  const [row] = await on.select(columns).from(tenants).where(eq(tenants.tenantId, tenantId));
  if (!row) throw new ApiError("tenant.not-found", `There is no tenant "${tenantId}".`);
  return answerOf(row);
}

/** Creates a tenant whose administrator signs in by a link. Recorded in the audit trail of the new tenant. Throws 409. */
export async function provisionTenant(
  caller: Caller,
  { id, name, kind, admin }: z.output<typeof NewTenant>,
) {
  await assertTenantIdFree(id, "/id");
  const acting = { ...actingAs(caller), tenantId: id };
  return transactionFor(caller, async (tx) => {
    if (!(await createTenant(tx, acting, { name, kind, sites: [] }))) throw idTaken(id, "/id");
    const userId = await createUser(tx, acting, {
      ...admin,
      roles: { roleIds: ["tenant.admin"], sites: {} },
      state: "invited",
    });
    const user = { tenantId: id, userId };
    const link = await issueLink(tx, caller, user, {
      purpose: "invitation",
      issuedBy: "POST /v1/tenants",
    });
    return { ...(await findTenant(id, tx)), admin: { ...link, login: admin.login } };
  });
}

/** Renames the caller's tenant. */
export async function updateTenant(
  caller: Caller,
  { name }: { name?: string | undefined },
  assertUnchanged: AssertUnchanged,
): Promise<Tenant> {
  const { tenantId } = caller;
  return transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const before = await findTenant(tenantId, tx);
    await assertUnchanged(() => before);
    if (name === undefined || name === before.name) return before;
    await tx.update(tenants).set({ name }).where(eq(tenants.tenantId, tenantId));
    const changes = { name: { before: before.name, after: name } };
    await record(tx, actingAs(caller), {
      action: "tenant.updated",
      target: { type: "tenant", id: tenantId, name },
      changes,
    });
    return { ...before, name };
  });
}
