import type { z } from "zod";
import type { Caller, Origin } from "@/lib/access/caller";
import { hashPassword } from "@/lib/access/hashing";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { transactionFor } from "@/lib/database/held-transactions";
import { transaction } from "@/lib/database/open";
import { actingAs } from "@/lib/features/audit/service";
import { createMember, createUser } from "@/lib/features/users/create";
import { forgetMembership } from "@/lib/features/users/membership-rows";
import { findHomeRow, noteMembership } from "@/lib/features/users/memberships";
import { ApiError } from "@/lib/protocol/errors";
import type { NewSandbox, SignUp, signUp as signUpEndpoint } from "./contract";
import { createTenant } from "./create";
import { tenantExists } from "./policy";

/** The first run and the fixtures create these ids, so they are not available to others. */
const isReserved = (tenantId: string) =>
  tenantId === "platform" || tenantId === "demo" || tenantId.startsWith("fix-");

export const idTaken = (tenantId: string, pointer: string) =>
  new ApiError(
    "tenant.id-taken",
    `There is a tenant "${tenantId}" already. Choose another id.`,
    pointer,
  );

/** Throws 409 for an id that is in use or reserved. */
export async function assertTenantIdFree(tenantId: string, pointer: string): Promise<void> {
  if (isReserved(tenantId) || (await tenantExists(tenantId))) throw idTaken(tenantId, pointer);
}

type Made = z.input<(typeof signUpEndpoint)["answer"] & z.ZodType>;

/** Creates a sandbox with one site, and its administrator with a password. Throws 400 for an unsuitable password, 409 for an id in use. */
export async function signUp(given: z.output<typeof SignUp>, origin: Origin): Promise<Made> {
  const { tenant, site, login, name, emailAddress, password } = given;
  assertPasswordSuitable("management", password, [login, name, emailAddress, tenant, site]);
  await assertTenantIdFree(tenant, "/tenant");
  const hash = await hashPassword({ plane: "management", tenantId: tenant }, password);
  const roles = { roleIds: ["tenant.admin"], sites: {} };
  const registeredAt = new Date();
  const acting = { tenantId: tenant, actor: { type: "system" as const, id: "sign-up" }, ...origin };
  const id = await transaction(async (tx) => {
    const isNew = await createTenant(tx, acting, {
      name: tenant,
      kind: "sandbox",
      sites: [{ siteId: site, name: site }],
    });
    if (!isNew) throw idTaken(tenant, "/tenant");
    return createUser(tx, acting, {
      login,
      name,
      emailAddress,
      roles,
      registeredAt,
      password: { hash },
    });
  });
  const registrationDate = registeredAt.toISOString();
  const user = {
    id,
    login,
    name,
    userRoles: { [tenant]: roles },
    tenant,
    emailAddress,
    registrationDate,
    lock: false,
    system: false,
  };
  return { tenant, site, user };
}

/** Creates a sandbox for an existing user, who becomes its administrator as a member from the home tenant. Throws 409 for an id in use. */
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
  // Another request has taken the id: the user is no member of that tenant.
  await made.catch(async (error: unknown) => {
    if (isTaken) await forgetMembership(caller, tenant);
    throw error;
  });
  return { tenant, site, name };
}
