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

/** The most groups stored from one sign-in. */
const maxGroups = 200;
const maxNameLength = 256;

function namesIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const names = list.flatMap((one) =>
    typeof one === "string" ? [one.trim().normalize("NFC")] : [],
  );
  return [...new Set(names)].filter((name) => name !== "" && name.length <= maxNameLength);
}

/** The user's groups from the provider, with those named by the connection first. Null if no claim is configured, empty if it is absent. */
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

/** Updates the user's roles from the groups that the provider reports at a sign-in. */
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

/** A sign-in that a provider of the tenant has just verified. */
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

/** Accepts each ID token once across all processes, even under concurrent use. Throws SignInFailure. */
export async function useUpNonce(tx: Transaction, { connection, identified }: ProviderSignIn) {
  const { tenantId } = connection;
  const nonceHash = sha256(String(identified.claims.nonce));
  const expiresAt = new Date(Date.now() + nonceKeptMs);
  if (!(await useNonce(tx, { tenantId, nonceHash, expiresAt })))
    throw new SignInFailure("replayed");
}

/** The current user of an identity. Throws SignInFailure for a user who may not sign in here. */
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

/** Creates the user of a new identity; only one of several concurrent requests does. Throws SignInFailure. */
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

/** The user that a sign-in with an unlinked identity would create. Throws SignInFailure if the connection does not allow it. */
export function newPerson({ connection }: ProviderSignIn, claims: Claims): DescribedPerson {
  assertOpen(connection);
  return describedPerson(connection, claims);
}

/** The externalId of provisioning from the ID token; undefined if the connection configures no claim for it. */
export function externalIdOf({ connection, identified }: ProviderSignIn): string | undefined {
  const { externalIdClaim } = connection;
  const value = externalIdClaim === "none" ? undefined : identified.claims[externalIdClaim];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Links the identity to the user provisioned with the externalId, if there is one without an identity of the provider. */
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

/** The values by which a later logout token finds the session. */
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

/** Throws if the connection was disabled since: its sessions have ended, and no new one may start. */
export async function assertStillEnabled(tx: Transaction, connection: ConnectionRow) {
  if (!(await findConnection(connection, tx))?.isEnabled) throw new SignInFailure("disabled");
}

/**
 * Creates a session for the user who linked the identity, or for a new user if the connection allows it. Existing users are found only by
 * identity or provisioned externalId. Throws SignInFailure.
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
