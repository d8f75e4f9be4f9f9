import { withAccessChange } from "@/lib/access/access-versions";
import { db, type Transaction } from "@/lib/database/open";
import { type Acting, actingAsSystem, record } from "@/lib/features/audit/service";
import { log } from "@/lib/protocol/log";
import { searchTextOf } from "./create";
import { insertMembership, otherTenantsOf, type Person } from "./membership-rows";
import { findUserRow, updateUserRow } from "./rows";

export interface HomeRow {
  login: string;
  name: string;
  emailAddress: string;
}

/** The user's details in the home tenant. */
export async function findHomeRow({ homeTenantId, userId }: Person): Promise<HomeRow | undefined> {
  const row = await findUserRow(db(), { tenantId: homeTenantId, userId });
  return row && { login: row.login, name: row.name, emailAddress: row.emailAddress };
}

/**
 * Records in the home tenant that a user will get a row in another tenant: before the row, so that none is ever missed.
 * The home tenant's audit trail does not name the other one, because its users must not learn of rights elsewhere.
 */
export async function noteMembership(
  tx: Transaction,
  acting: Acting,
  { userId, login }: { userId: string; login: string },
  where: string,
) {
  const isNew = await insertMembership(tx, { tenantId: acting.tenantId, userId }, where);
  if (isNew)
    await record(tx, acting, {
      action: "user.membership-noted",
      target: { type: "user", id: userId, name: login },
    });
}

/**
 * Copies the name and e-mail address of the home tenant to a membership. They are read after the tenant's row is locked,
 * so that of two changes in the home tenant the later one is kept.
 */
export async function syncMembership(tenantId: string, person: Person): Promise<void> {
  const key = { tenantId, userId: person.userId };
  await withAccessChange(tenantId, async (tx) => {
    const [copy, home] = await Promise.all([findUserRow(tx, key), findHomeRow(person)]);
    if (!copy || !home || copy.homeTenantId !== person.homeTenantId) return;
    const changed = (["name", "emailAddress"] as const).filter(
      (field) => copy[field] !== home[field],
    );
    if (changed.length === 0) return;
    const { name, emailAddress } = home;
    const searchText = searchTextOf({ login: copy.login, name, emailAddress });
    await updateUserRow(tx, key, { name, emailAddress, searchText });
    const changes = Object.fromEntries(
      changed.map((field) => [field, { before: copy[field], after: home[field] }]),
    );
    const target = { type: "user", id: person.userId, name: copy.login };
    await record(tx, actingAsSystem(tenantId, "home-tenant"), {
      action: "user.updated",
      target,
      changes,
    });
  });
}

/** The same in every tenant of the user; after a failure the next sign-in to that tenant does it. */
export async function syncMemberships(person: Person): Promise<void> {
  for (const tenantId of await otherTenantsOf(person)) {
    await syncMembership(tenantId, person).catch((error: unknown) =>
      log().warn(
        { err: error, tenantId },
        "a membership still shows the old name or e-mail address",
      ),
    );
  }
}
