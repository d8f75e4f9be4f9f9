import type { z } from "zod";
import { lockTenant, withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { urlProblem } from "@/lib/features/events/delivery/target";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { Connection, ConnectionChange, NewConnection } from "./contract";
import { assertNotNeeded } from "./enforcement";
import { readGroupRoles } from "./group-roles";
import { forgetClaimedGroups } from "./group-rows";
import { type EndedSessions, endDerivedOf, endSessionsOf } from "./provider-sign-out";
import {
  type ConnectionRow,
  deleteConnectionRow,
  getConnectionRow,
  insertConnection,
  lockConnection,
  sealClientSecret,
  selectConnections,
  setConnection,
  toConnection,
} from "./rows";
import { syncGroupRoles } from "./sync-group-roles";
import { maxConnections } from "./values";

/** A request about one connection. */
interface Asking {
  caller: Caller;
  params: { id: string };
}

const keyOf = ({ caller, params }: Asking) => ({
  tenantId: caller.tenantId,
  connectionId: params.id,
});

/** The tenant's connections, newest first. */
export const listConnections = async ({ tenantId }: Caller): Promise<Connection[]> =>
  (await selectConnections(tenantId)).map(toConnection);

export const getConnection = async (asking: Asking): Promise<Connection> =>
  toConnection(await getConnectionRow(keyOf(asking)));

/** Throws 400 for an issuer URL that is not allowed. It is stored unchanged, because the `iss` of ID tokens must equal it. */
function assertIssuer(issuer: string | undefined): void {
  if (issuer === undefined) return;
  const hasQuery = URL.canParse(issuer) && new URL(issuer).search !== "";
  const wrong = urlProblem(issuer) ?? (hasQuery ? "must have no query" : undefined);
  if (wrong !== undefined) throw invalid([{ pointer: "/issuer", detail: `/issuer ${wrong}.` }]);
}

const withOpenid = (scopes: string[]) => [...new Set(["openid", ...scopes])];
const inLowerCase = (domains: string[]) => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
];

function recordChange(
  tx: Transaction,
  caller: Caller,
  { connectionId, name }: Pick<ConnectionRow, "connectionId" | "name">,
  { action, changes }: { action: `connection.${string}`; changes: AuditChanges },
): Promise<void> {
  const target = { type: "connection", id: connectionId, name };
  return record(tx, actingAs(caller), { action, target, changes });
}

/** Creates a connection. Throws 400, and 409 if the tenant has the maximum of connections. */
export async function createConnection(
  caller: Caller,
  { clientSecret, claims, ...given }: z.output<typeof NewConnection>,
): Promise<Connection> {
  assertIssuer(given.issuer);
  const { tenantId } = caller;
  const connectionId = newId("conn");
  const row = {
    ...{ tenantId, connectionId, ...given },
    scopes: withOpenid(given.scopes),
    domains: inLowerCase(given.domains),
    loginClaim: claims.login,
    emailClaim: claims.email,
    nameClaim: claims.name,
    groupsClaim: claims.groups,
    groupRoles: readGroupRoles(caller, given.groupRoles),
    clientSecret: sealClientSecret(clientSecret, connectionId),
    offersSignOut: false,
    createdAt: new Date(),
  };
  await transactionFor(caller, async (tx) => {
    await lockTenant(tx, tenantId);
    if ((await selectConnections(tenantId, tx)).length >= maxConnections)
      throw new ApiError(
        "connection.limit-reached",
        `A tenant has at most ${maxConnections} connections. Delete one first.`,
        String(maxConnections),
      );
    await insertConnection(tx, row);
    const { issuer, clientId, provisioning, isEnabled, groupRoles } = row;
    const groups = groupRoles.length > 0 ? { groupRoles } : {};
    const changes = Object.entries({ issuer, clientId, provisioning, isEnabled, ...groups });
    await recordChange(tx, caller, row, {
      action: "connection.created",
      changes: Object.fromEntries(changes.map(([name, after]) => [name, { after }])),
    });
  });
  return toConnection(row);
}

/** The given values by column, without the secret. */
function columnsOf(
  caller: Caller,
  given: z.output<typeof ConnectionChange>,
): Partial<ConnectionRow> {
  const { name, issuer, clientId, scopes, claims, domains, provisioning, isEnabled } = given;
  const { externalIdClaim } = given;
  const all = {
    ...{ name, issuer, clientId, provisioning, isEnabled, externalIdClaim },
    scopes: scopes && withOpenid(scopes),
    domains: domains && inLowerCase(domains),
    loginClaim: claims?.login,
    emailClaim: claims?.email,
    nameClaim: claims?.name,
    groupsClaim: claims?.groups,
    groupRoles: given.groupRoles && readGroupRoles(caller, given.groupRoles),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A new issuer needs the secret again: a user who may not read the stored one must not have it sent to another server. Throws 400. */
function assertSecretForIssuer(
  before: ConnectionRow,
  { issuer, clientSecret }: z.output<typeof ConnectionChange>,
): void {
  if (issuer === undefined || issuer === before.issuer || clientSecret !== undefined) return;
  const detail = "/clientSecret is needed where the issuer changes.";
  throw invalid([{ pointer: "/clientSecret", detail }]);
}

const groupSettings = ["groupRoles", "groupsClaim", "isEnabled", "issuer"] as const;

/** Updates users' roles if the change affects groups. Memberships from a former claim are deleted. Throws 409. */
async function applyGroups(
  tx: Transaction,
  acting: Acting,
  { before, after }: Record<"before" | "after", ConnectionRow>,
): Promise<void> {
  const isSame = (name: (typeof groupSettings)[number]) =>
    JSON.stringify(before[name]) === JSON.stringify(after[name]);
  if (groupSettings.every(isSame)) return;
  if (!isSame("groupsClaim")) await forgetClaimedGroups(tx, after);
  const groups = after.groupRoles.map(({ group }) => group);
  await syncGroupRoles(tx, acting, { groups, holders: true });
}

const none = (): EndedSessions => new Map();

/** Changes the given values. Disabling a connection ends the sessions that were opened through it. Throws 400, 404 and 412. */
export async function updateConnection(
  asking: Asking & { body: z.output<typeof ConnectionChange> },
  assertUnchanged: AssertUnchanged,
): Promise<Connection> {
  const { caller, body: given } = asking;
  assertIssuer(given.issuer);
  const [after, ended] = await withAccessChange(caller, async (tx) => {
    const before = await lockConnection(tx, keyOf(asking));
    await assertUnchanged(() => toConnection(before));
    assertSecretForIssuer(before, given);
    const differing = Object.entries(columnsOf(caller, given)).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(before[name as keyof ConnectionRow]),
    );
    const { clientSecret } = given;
    if (differing.length === 0 && clientSecret === undefined) return [before, none()] as const;
    const isDisabled = before.isEnabled && given.isEnabled === false;
    // Links belong to their issuer: after a change no user can sign in until they link again.
    const isMoved = given.issuer !== undefined && given.issuer !== before.issuer;
    if (isDisabled || isMoved) await assertNotNeeded(tx, before);
    const after = await setConnection(tx, before, {
      ...Object.fromEntries(differing),
      ...(clientSecret && { clientSecret: sealClientSecret(clientSecret, before.connectionId) }),
    });
    const changes = differing.map(([name, value]) => [
      name,
      { before: before[name as keyof ConnectionRow], after: value },
    ]);
    await recordChange(tx, caller, after, {
      action: "connection.updated",
      changes: {
        ...Object.fromEntries(changes),
        ...(clientSecret && { clientSecret: { after: "replaced" } }),
      },
    });
    const ended = isDisabled ? await endSessionsOf(tx, actingAs(caller), after) : none();
    await applyGroups(tx, actingAs(caller), { before, after });
    return [after, ended] as const;
  });
  await endDerivedOf(actingAs(caller), ended);
  return toConnection(after);
}

/** Deletes a connection, and ends the sessions that were opened through it. Throws 404 and 412. */
export async function deleteConnection(
  asking: Asking,
  assertUnchanged: AssertUnchanged,
): Promise<void> {
  const acting = actingAs(asking.caller);
  const ended = await withAccessChange(asking.caller, async (tx) => {
    const row = await lockConnection(tx, keyOf(asking));
    await assertUnchanged(() => toConnection(row));
    await assertNotNeeded(tx, row);
    const sessions = await endSessionsOf(tx, acting, row);
    await deleteConnectionRow(tx, row);
    await recordChange(tx, asking.caller, row, {
      action: "connection.deleted",
      changes: { issuer: { before: row.issuer }, clientId: { before: row.clientId } },
    });
    await syncGroupRoles(tx, acting, { holders: true });
    return sessions;
  });
  await endDerivedOf(acting, ended);
}
