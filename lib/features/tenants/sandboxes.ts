import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { transaction } from "@/lib/database/open";
import { actingAs } from "@/lib/features/audit/service";
import { createMember } from "@/lib/features/users/create";
import { forgetMembership } from "@/lib/features/users/membership-rows";
import { findHomeRow, noteMembership } from "@/lib/features/users/memberships";
import type { NewSandbox } from "./contract";
import { createTenant } from "./create";
import { assertTenantIdFree, idTaken } from "./sign-up";

/** Makes a sandbox for somebody who has an account, who becomes its administrator as a member from home. Throws 409 for an id in use. */
export async function createSandbox(
  caller: Caller,
  { tenant, site, name }: z.output<typeof NewSandbox>,
) {
  await assertTenantIdFree(tenant, "/tenant");
  const { userId, homeTenantId } = caller;
  const home = await findHomeRow(caller);
  if (!home) throw new Error("The home row of a caller is missing.");
  const acting = {
    ...actingAs(caller),
    actor: { type: "user" as const, id: userId, login: home.login },
  };
  await transaction((tx) =>
    noteMembership(
      tx,
      { ...acting, tenantId: homeTenantId },
      { userId, login: home.login },
      tenant,
    ),
  );
  let isTaken = false;
  const made = transactionFor(caller, async (tx) => {
    const there = { ...acting, tenantId: tenant };
    const isNew = await createTenant(tx, there, {
      name,
      kind: "sandbox",
      sites: [{ siteId: site, name: site }],
    });
    isTaken = !isNew;
    if (isTaken) throw idTaken(tenant, "/tenant");
    await createMember(tx, there, {
      ...home,
      userId,
      homeTenantId,
      roles: { roleIds: ["tenant.admin"], sites: {} },
    });
  });
  // Somebody else took the id meanwhile: the person is no member of that tenant.
  await made.catch(async (error: unknown) => {
    if (isTaken) await forgetMembership(caller, tenant);
    throw error;
  });
  return { tenant, site, name };
}
