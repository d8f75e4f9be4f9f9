import { type In, lockTenant, withAccessChange } from "@/lib/access/access-versions";
import { type Transaction, transaction, uniqueViolation } from "@/lib/database/open";
import type { Acting } from "@/lib/features/audit/service";
import { unlinkFrom } from "@/lib/features/connections/identities";
import { type ProvisionedRow, putProvisioned } from "@/lib/features/connections/provisioned-rows";
import type { ConnectionRow } from "@/lib/features/connections/rows";
import { syncGroupRoles } from "@/lib/features/connections/sync-group-roles";
import { createUser } from "@/lib/features/users/create";
import { findTargetById, type Target } from "@/lib/features/users/find-target";
import { assertNotLastAdmin, assertNotNeededElsewhere } from "@/lib/features/users/last-admin";
import { deactivate, reactivate } from "@/lib/features/users/lock";
import { otherTenantsOf } from "@/lib/features/users/membership-rows";
import { syncMemberships } from "@/lib/features/users/memberships";
import { guardedRoles } from "@/lib/features/users/role-policy";
import { writeDetails } from "@/lib/features/users/update";
import { placesOf, rolesAt } from "@/lib/features/users/user-policy";
import { labelKey } from "@/lib/protocol/formats";
import { addressOf, knownAttributes, nameOf, type Person, readPerson } from "./attributes";
import { assertMayProvision } from "./may-provision";
import { patched } from "./patch";
import { findDeleted, findPerson, type PersonRow } from "./person-rows";
import { type Resource, toResource } from "./resource";
import { ScimError } from "./scim-error";

/** The authenticated connection and the actor of its audit entries. */
export interface Provisioner {
  tenantId: string;
  connectionId: string;
  connection: ConnectionRow;
  acting: Acting;
  /** The connection's address. */
  base: string;
}

const notFound = () => new ScimError(404, undefined, "There is no such user for this connection.");

export async function getPerson(by: Provisioner, userId: string): Promise<PersonRow> {
  const found = await findPerson(by, userId);
  if (!found) throw notFound();
  return found;
}

function assertDomain({ connection: { domains } }: Provisioner, emailAddress: string): void {
  const domain = emailAddress.slice(emailAddress.lastIndexOf("@") + 1).toLowerCase();
  if (domains.length === 0 || domains.includes(domain)) return;
  const detail = "The e-mail address is not of a domain that the connection allows.";
  throw new ScimError(400, "invalidValue", detail);
}

/** The provider's data about a user, as columns. */
const saidBy = (
  { tenantId, connectionId }: Provisioner,
  { userId, isOwn }: { userId: string; isOwn: boolean | null },
  { externalId, name }: Person,
): ProvisionedRow => ({
  ...{ tenantId, connectionId, userId, isOwn: isOwn ?? false },
  externalId: externalId ?? null,
  givenName: name.givenName ?? null,
  familyName: name.familyName ?? null,
  changedAt: new Date(),
  deletedAt: null,
});

const detailsOf = (person: Person, before?: PersonRow) => ({
  login: person.userName,
  name: nameOf(person, before),
  emailAddress: addressOf(person, before),
});

const isActive = ({ state }: Pick<PersonRow, "state">) => state !== "deactivated";

function isUnchanged(by: Provisioner, before: PersonRow, person: Person): boolean {
  const { login, name, emailAddress } = detailsOf(person, before);
  const { externalId, givenName, familyName } = saidBy(by, before, person);
  const after = { login, name, emailAddress, externalId, givenName, familyName };
  const isSame = (key: keyof typeof after) => after[key] === before[key];
  return (
    before.deletedAt === null &&
    person.active === isActive(before) &&
    (Object.keys(after) as (keyof typeof after)[]).every(isSame)
  );
}

/** Deactivates the user, as the portal does. Throws 409 for the last administrator of a tenant. */
async function endAccess(tx: Transaction, by: Provisioner, target: Target): Promise<void> {
  const { userId, homeTenantId } = target;
  await assertNotLastAdmin(tx, by.tenantId, target);
  await assertNotNeededElsewhere(await otherTenantsOf({ homeTenantId, userId }), userId);
  await deactivate(tx, by.acting, target);
}

const isGuarded = ({ roles }: Target) =>
  placesOf(roles).some((place) => rolesAt(roles, place).some((id) => guardedRoles.includes(id)));

/**
 * Links to set a password go to the address, and a sign-in finds a user by the externalId: a change of either would give the account to
 * another person. A connection may change them only for users whom it created and who do not administer users. Throws 403.
 */
function assertOwnerStays(target: Target, before: PersonRow, after: Owner): void {
  if (before.isOwn === true && !isGuarded(target)) return;
  const isRelinked = before.isOwn === true && before.externalId !== null;
  const isSame =
    after.emailAddress === before.emailAddress &&
    (!isRelinked || after.externalId === before.externalId);
  if (isSame) return;
  const detail =
    "The e-mail address and externalId of administrators, and the address of people who were created by hand, are changed in the portal.";
  throw new ScimError(403, "mutability", detail);
}

async function apply(
  tx: Transaction,
  by: Provisioner,
  before: PersonRow,
  person: Person,
): Promise<void> {
  const target = await findTargetById(tx, by.tenantId, before.userId);
  if (!target) throw notFound();
  await assertMayProvision(tx, by.tenantId, target);
  const details = detailsOf(person, before);
  const said = saidBy(by, before, person);
  assertOwnerStays(target, before, { ...details, externalId: said.externalId });
  if (details.emailAddress !== before.emailAddress) assertDomain(by, details.emailAddress);
  await writeDetails(tx, by.acting, { target, after: details });
  if (isActive(target) && !person.active) await endAccess(tx, by, target);
  if (!isActive(target) && person.active) await reactivate(tx, by.acting, target, "active");
  await putProvisioned(tx, said);
  if (before.deletedAt !== null) await syncGroupRoles(tx, by.acting, { userIds: [before.userId] });
  // A new externalId is another account at the provider: the link belonged to the previous one.
  if (said.isOwn && before.externalId !== null && before.externalId !== said.externalId)
    await unlinkFrom(tx, by.acting, { ...by, userId: before.userId, login: details.login });
}

/** Maps unique violations of the store to 409. */
async function withUniqueness<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const index = uniqueViolation(error);
    if (index === "provisioned_users_external_unique")
      throw new ScimError(409, "uniqueness", "Another user has this externalId.");
    if (index === "users_login_key_unique")
      throw new ScimError(409, "uniqueness", "Another user of the tenant has this userName.");
    throw error;
  }
}

interface Owner {
  emailAddress: string;
  externalId: string | null;
}

type Find = (tx?: Transaction) => Promise<PersonRow | undefined>;

/** Changes a user to the result of `next` for the current state; writes nothing if they are equal. */
async function change(
  by: Provisioner,
  find: Find,
  next: (before: PersonRow) => Person,
): Promise<PersonRow> {
  const seen = await find();
  if (!seen) throw notFound();
  if (isUnchanged(by, seen, next(seen))) return seen;
  const where: In = by.tenantId;
  const after = await withUniqueness(() =>
    withAccessChange(where, async (tx) => {
      const before = await find(tx);
      if (!before) throw notFound();
      await apply(tx, by, before, next(before));
      return findPerson(by, before.userId, tx);
    }),
  );
  if (!after) throw notFound();
  await syncMemberships({ userId: after.userId, homeTenantId: by.tenantId });
  return after;
}

/** `active` changes only if the request contains it. */
const readChange = (attributes: Resource, before: PersonRow) =>
  readPerson({ active: isActive(before), ...attributes });

/** Replaces a user by the body. */
export const replacePerson = (by: Provisioner, userId: string, body: Resource) =>
  change(
    by,
    (tx) => findPerson(by, userId, tx),
    (before) => readChange(knownAttributes(body), before),
  );

/** Applies the operations of a PATCH. */
export const patchPerson = (by: Provisioner, userId: string, body: Resource) =>
  change(
    by,
    (tx) => findPerson(by, userId, tx),
    (before) => readChange(patched(toResource(before, by.base), body), before),
  );

/** Creates a person with the role portal.default, or restores one whom the provider deleted. Throws 409 for a userName in use. */
export async function createPerson(by: Provisioner, body: Resource): Promise<PersonRow> {
  const person = readPerson(knownAttributes(body));
  const details = detailsOf(person);
  assertDomain(by, details.emailAddress);
  const key = labelKey(person.userName);
  if (await findDeleted(by, key))
    return change(
      by,
      (tx) => findDeleted(by, key, tx),
      () => person,
    );
  const created = await withUniqueness(() =>
    transaction(async (tx) => {
      await lockTenant(tx, by.tenantId);
      const roles = { roleIds: ["portal.default"], sites: {} };
      const state = person.active ? "active" : "deactivated";
      const userId = await createUser(tx, by.acting, { ...details, roles, state });
      await putProvisioned(tx, saidBy(by, { userId, isOwn: true }, person));
      return findPerson(by, userId, tx);
    }),
  );
  if (!created) throw notFound();
  return created;
}

/** Deactivates a user and hides it from the provider. Nothing is erased. */
export async function deletePerson(by: Provisioner, userId: string): Promise<void> {
  await getPerson(by, userId);
  await withAccessChange(by.tenantId, async (tx) => {
    const before = await findPerson(by, userId, tx);
    const target = await findTargetById(tx, by.tenantId, userId);
    if (!before || !target) throw notFound();
    await assertMayProvision(tx, by.tenantId, target);
    await endAccess(tx, by, target);
    const { externalId, givenName, familyName } = before;
    const { tenantId, connectionId } = by;
    const said = { externalId, givenName, familyName, isOwn: before.isOwn ?? false };
    const row = { tenantId, connectionId, userId, ...said };
    await putProvisioned(tx, { ...row, changedAt: new Date(), deletedAt: new Date() });
    await syncGroupRoles(tx, by.acting, { userIds: [userId] });
  });
}
