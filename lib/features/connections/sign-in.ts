import { lockTenant } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { assertMaySignIn } from "@/lib/features/sessions/login";
import { openSession } from "@/lib/features/sessions/open-session";
import { createUser } from "@/lib/features/users/create";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import {
  askForClaims,
  type Claims,
  type Client,
  claimsOf,
  type DescribedPerson,
  describedPerson,
  type Identified,
} from "./code-exchange";
import { SignInFailure } from "./failure";
import { setClaimedGroups } from "./group-rows";
import {
  findIdentity,
  type IdentityKey,
  type IdentityRow,
  insertIdentity,
  noteIdentityUse,
  useNonce,
} from "./identity-rows";
import { findUnlinked } from "./provisioned-rows";
import { type ConnectionRow, findConnection } from "./rows";
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

/** Somebody whom a provider of the tenant identified just now. */
export interface ProviderSignIn {
  connection: ConnectionRow;
  client: Client;
  identified: Identified;
  origin: Origin;
}

const nonceKeptMs = 24 * 3_600_000;

export const keyOf = ({ connection, identified }: ProviderSignIn): IdentityKey => ({
  tenantId: connection.tenantId,
  connectionId: connection.connectionId,
  issuer: connection.issuer,
  subject: identified.claims.sub,
});

/** Each ID token counts once, over all processes: of many uses at once one is accepted. Throws SignInFailure. */
export async function useUpNonce(tx: Transaction, { connection, identified }: ProviderSignIn) {
  const { tenantId } = connection;
  const nonceHash = sha256(String(identified.claims.nonce));
  const expiresAt = new Date(Date.now() + nonceKeptMs);
  if (!(await useNonce(tx, { tenantId, nonceHash, expiresAt })))
    throw new SignInFailure("replayed");
}

/** The person of an identity as of now. Throws SignInFailure for who may not sign in, whatever the provider says. */
export async function candidateOf({
  tenantId,
  userId,
}: Pick<IdentityRow, "tenantId" | "userId">): Promise<LoginCandidate> {
  const found = await findMemberCandidate(tenantId, { userId, homeTenantId: tenantId });
  if (!found || found.state === "invited") throw new SignInFailure("no-entry", "user.not-found");
  try {
    assertMaySignIn({ ...found, passwordExpiresAt: null });
  } catch (error) {
    throw isRejection(error) ? new SignInFailure("no-entry", error.code) : error;
  }
  return found;
}

/** Creates the user of an identity that nobody has; of many requests at once one does. Throws SignInFailure. */
async function createPerson(signIn: ProviderSignIn, person: DescribedPerson): Promise<IdentityRow> {
  const { connection, origin } = signIn;
  const key = keyOf(signIn);
  const { tenantId } = key;
  const actor = { type: "system" as const, id: connection.connectionId };
  const acting = { tenantId, actor, ...origin };
  const roles = { roleIds: ["portal.default"], sites: {} };
  try {
    return await transaction(async (tx) => {
      const userId = await createUser(tx, acting, { ...person, roles });
      const identityId = newId("iden");
      const made = { createdAt: new Date(), lastUsedAt: null, groups: null };
      const row = { ...key, identityId, userId, ...made };
      if (!(await insertIdentity(tx, row))) throw new SignInFailure("login-taken", person.login);
      await record(tx, acting, {
        action: "user.identity-linked",
        target: { type: "user", id: userId, name: person.login },
        changes: { identity: { after: `${row.connectionId} ${row.issuer}` } },
      });
      return row;
    });
  } catch (error) {
    const isTaken = error instanceof ApiError && error.code === "user.login-taken";
    if (!isTaken && !(error instanceof SignInFailure)) {
      throw isRejection(error) ? new SignInFailure("no-entry", error.code) : error;
    }
    const raced = await findIdentity(key);
    if (!raced) throw new SignInFailure("login-taken", person.login);
    return raced;
  }
}

function assertOpen({ provisioning }: ConnectionRow): void {
  if (provisioning !== "on-first-sign-in") throw new SignInFailure("not-linked");
}

/** What a sign-in of somebody whom nobody linked comes to. Throws SignInFailure where they do not get in. */
export function newPerson({ connection }: ProviderSignIn, claims: Claims): DescribedPerson {
  assertOpen(connection);
  return describedPerson(connection, claims);
}

/** What the ID token says as the externalId of provisioning; undefined where the connection does not say which claim it is. */
export function externalIdOf({ connection, identified }: ProviderSignIn): string | undefined {
  const { externalIdClaim } = connection;
  const value = externalIdClaim === "none" ? undefined : identified.claims[externalIdClaim];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Links the identity to the person whom the provider provisioned under the externalId, where there is one without an identity of it. */
async function linkProvisioned(signIn: ProviderSignIn): Promise<IdentityRow | undefined> {
  const { connection, origin } = signIn;
  const key = keyOf(signIn);
  const { tenantId } = key;
  const externalId = externalIdOf(signIn);
  if (externalId === undefined) return undefined;
  return transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const found = await findUnlinked(key, externalId, tx);
    if (!found) return findIdentity(key, tx);
    const { userId, login } = found;
    const row = {
      ...key,
      identityId: newId("iden"),
      userId,
      createdAt: new Date(),
      lastUsedAt: null,
      groups: null,
    };
    if (!(await insertIdentity(tx, row))) return findIdentity(key, tx);
    const actor = { type: "system" as const, id: connection.connectionId, login: connection.name };
    await record(
      tx,
      { tenantId, actor, ...origin },
      {
        action: "user.identity-linked",
        target: { type: "user", id: userId, name: login },
        changes: { identity: { after: `${row.connectionId} ${row.issuer}` } },
      },
    );
    return row;
  });
}

/** By what a provider names the session later, when it signs the person out. */
export const provenanceOf = (
  { connectionId, identityId }: Pick<IdentityRow, "connectionId" | "identityId">,
  { identified: { claims } }: ProviderSignIn,
) => ({
  ...{ connectionId, identityId },
  ...(typeof claims.sid === "string" && { providerSidHash: sha256(claims.sid) }),
});

async function identityOf(signIn: ProviderSignIn): Promise<IdentityRow> {
  const known = (await findIdentity(keyOf(signIn))) ?? (await linkProvisioned(signIn));
  if (known) return known;
  const { connection, client, identified } = signIn;
  assertOpen(connection);
  return createPerson(signIn, newPerson(signIn, await claimsOf(connection, client, identified)));
}

/** Throws where the connection was disabled since: then its sessions have ended, and no further one begins. */
export async function assertStillEnabled(tx: Transaction, connection: ConnectionRow) {
  if (!(await findConnection(connection, tx))?.isEnabled) throw new SignInFailure("disabled");
}

/**
 * Obtains a session for somebody whom a provider identified: who linked the identity, or somebody new where the connection lets them
 * in. An existing user is never found by anything but the identity. Throws SignInFailure.
 */
export async function signInByProvider(signIn: ProviderSignIn): Promise<{ sessionId: string }> {
  const row = await identityOf(signIn);
  await followGroups(signIn, row);
  const candidate = await candidateOf(row);
  const { sessionId } = await openSession(
    row.tenantId,
    candidate,
    {
      authenticatedBy: "connection",
      ...provenanceOf(row, signIn),
      useUp: async (tx) => {
        await useUpNonce(tx, signIn);
        await assertStillEnabled(tx, signIn.connection);
        if (!(await noteIdentityUse(tx, row))) throw new SignInFailure("not-linked");
      },
    },
    signIn.origin,
  );
  return { sessionId };
}
