import { askForClaims } from "./code-exchange";
import { setClaimedGroups } from "./group-rows";
import type { IdentityRow } from "./identity-rows";
import type { ProviderSignIn } from "./sign-in";
import { syncGroupRoles, withGroupChange } from "./sync-group-roles";

/** How many groups of a person are kept from one sign-in. */
const maxGroups = 200;
const maxNameLength = 256;

function namesIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const names = list.flatMap((one) =>
    typeof one === "string" ? [one.trim().normalize("NFC")] : [],
  );
  return [...new Set(names)].filter((name) => name !== "" && name.length <= maxNameLength);
}

/** What the provider says of the person's groups: those that the connection names first. Null where it is not asked; without the claim none. */
export async function groupsOf({ connection, client, identified }: ProviderSignIn) {
  const { groupsClaim, groupRoles } = connection;
  if (groupsClaim === null) return null;
  const isSaid = Object.hasOwn(identified.claims, groupsClaim) || groupRoles.length === 0;
  const claims: Record<string, unknown> = isSaid
    ? identified.claims
    : await askForClaims(client, identified);
  const said = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : [];
  const named = new Set(groupRoles.map(({ group }) => group));
  const isNamed = (name: string) => Number(named.has(name));
  return namesIn(said)
    .toSorted((a, b) => isNamed(b) - isNamed(a))
    .slice(0, maxGroups);
}

/** Makes the person's roles follow the groups that the provider says at a sign-in. */
export async function followGroups(signIn: ProviderSignIn, row: IdentityRow): Promise<void> {
  const { connection, origin } = signIn;
  const groups = await groupsOf(signIn);
  if (connection.groupRoles.length === 0 && JSON.stringify(groups) === JSON.stringify(row.groups))
    return;
  const { tenantId, connectionId: id, name: login } = connection;
  const acting = { tenantId, actor: { type: "system" as const, id, login }, ...origin };
  await withGroupChange(tenantId, async (tx) => {
    await setClaimedGroups(tx, row, groups);
    await syncGroupRoles(tx, acting, { userIds: [row.userId] }, { hasToSucceed: true });
  });
}
