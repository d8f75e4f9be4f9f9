import type { z } from "zod";
import { lockTenant } from "@/lib/access/access-versions";
import { type Caller, epochOfIssuer, type Origin } from "@/lib/access/caller";
import { isHandOffToken, newHandOffToken, sha256 } from "@/lib/access/secrets";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { findKeyForChange, type Row, type Whose } from "@/lib/features/api-keys/rows";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import type { HandlerOf } from "@/lib/http/context";
import { created } from "@/lib/http/responses";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type * as contract from "./contract";
import { defaultHandOffSeconds, type HandOff, maxHandOffsOfKey, type NewHandOff } from "./contract";
import { findKeyOfHandOff, getKeyToHandOff } from "./issuer";
import {
  countHandOffs,
  deleteEndedHandOffs,
  deleteHandOff,
  insertHandOff,
  isHandOffKept,
  takeHandOff,
} from "./rows";

const targetOf = ({ apiKeyId, name }: Pick<Row, "apiKeyId" | "name">) => ({
  type: "api-key",
  id: apiKeyId,
  name,
});

/** Throws 400 if the hash is not that of the key's current secret: the caller must have the secret to hand it off. */
function assertHasSecret(row: Row, secretHash: string): void {
  if (row.secretHash.equals(Buffer.from(secretHash, "hex"))) return;
  const detail = "/secretHash must be the SHA-256 of the key's current secret. Was it rotated?";
  throw invalid([{ pointer: "/secretHash", detail }]);
}

const tooMany = ({ name }: Row) =>
  new ApiError(
    "api-key.hand-off-limit-reached",
    `"${name}" has ${maxHandOffsOfKey} links that were not opened. Withdraw one, or rotate the key to withdraw all.`,
    String(maxHandOffsOfKey),
  );

interface CreationRequest {
  caller: Caller;
  params: { apiKeyId: string };
  body: z.output<typeof NewHandOff>;
}

/**
 * Stores an encrypted secret to be opened once. Needs the right to rotate the key: its owner, or for a service user's key a manager with
 * all rights of the service user. Throws 400, 403, 404 and 409.
 */
async function createHandOff(
  { caller, params: { apiKeyId }, body }: CreationRequest,
  whose: Whose,
): Promise<z.output<typeof HandOff>> {
  const { tenantId, userId } = caller;
  const issuer = { tenantId, userId, issuerEpoch: epochOfIssuer(caller) };
  return transactionFor(caller, async (tx) => {
    await lockTenant(tx, tenantId);
    const row = await getKeyToHandOff(tx, issuer, { apiKeyId, whose }, caller);
    assertHasSecret(row, body.secretHash);
    await deleteEndedHandOffs(tx, row);
    if ((await countHandOffs(tx, row)) >= maxHandOffsOfKey) throw tooMany(row);
    const createdAt = new Date();
    const end = createdAt.getTime() + (body.validFor ?? defaultHandOffSeconds) * 1000;
    const expiresAt = new Date(Math.min(end, row.validTo.getTime()));
    const [id, token] = [newId("hof"), newHandOffToken()];
    await insertHandOff(tx, {
      ...{ ...issuer, handOffId: id, apiKeyId },
      ...{ tokenHash: sha256(token), secretHash: row.secretHash, sealed: body.sealed },
      ...{ expiresAt, createdAt },
    });
    await record(tx, actingAs(caller), {
      action: "api-key.hand-off-created",
      target: targetOf(row),
      changes: { handOff: { after: id }, expiresAt: { after: expiresAt.toISOString() } },
    });
    return { id, token, expiresAt: expiresAt.toISOString() };
  });
}

interface WithdrawalRequest {
  caller: Caller;
  params: { apiKeyId: string; id: string };
}

const notFound = (detail: string) => new ApiError("api-key.hand-off-not-found", detail);

/** Withdraws a link that was not opened. Needs the right to revoke the key. Throws 403 and 404. */
export async function withdrawHandOff(
  { caller, params: { apiKeyId, id } }: WithdrawalRequest,
  whose: Whose,
): Promise<void> {
  await transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    const { row } = await findKeyForChange(tx, caller, apiKeyId, whose);
    if (!(await deleteHandOff(tx, row, id)))
      throw notFound("The key has no such link. It was opened, has expired or was withdrawn.");
    await record(tx, actingAs(caller), {
      action: "api-key.hand-off-withdrawn",
      target: targetOf(row),
      changes: { handOff: { before: id } },
    });
  });
}

interface OpeningRequest {
  tenantId: string;
  origin: Origin;
  body: { token: string };
}

/** Deletes a hand-off and records that it was opened; returns undefined for one that does not open, which is deleted as well. */
function takeOpened(tenantId: string, origin: Origin, tokenHash: Buffer) {
  return transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const taken = await takeHandOff(tx, tenantId, tokenHash);
    const key = taken && (await findKeyOfHandOff(tx, taken, origin));
    // Does not throw, so that the deletion commits: an invalid link stays deleted even if its key, issuer and owner become valid again.
    if (!key) return undefined;
    const acting: Acting = { tenantId, actor: { type: "system", id: "hand-off-link" }, ...origin };
    await record(tx, acting, {
      action: "api-key.hand-off-opened",
      target: targetOf(key),
      changes: { handOff: { before: taken.handOffId } },
    });
    const { apiKeyId, name, validTo } = key;
    return { sealed: taken.sealed, apiKeyId, name, validTo: validTo.toISOString() };
  });
}

/** Returns the encrypted secret and deletes it. Throws the same 404 for every link that does not open. */
export async function openHandOff({ tenantId, origin, body: { token } }: OpeningRequest) {
  const tokenHash = sha256(token);
  // The endpoint is public: a malformed or unknown token locks no tenant row and opens no transaction.
  const isKept = isHandOffToken(token) && (await isHandOffKept(tenantId, tokenHash));
  const opened = isKept ? await takeOpened(tenantId, origin, tokenHash) : undefined;
  if (!opened) throw notFound("This link was already opened, has expired or was withdrawn.");
  return opened;
}

export const sendNewHandOff: HandlerOf<typeof contract.createHandOff> = async (context) =>
  created(
    context,
    `/v1/user/profile/api-keys/${context.params.apiKeyId}/hand-offs`,
    await createHandOff(context, "own"),
  );

export const sendNewManagedHandOff: HandlerOf<typeof contract.createManagedHandOff> = async (
  context,
) =>
  created(
    context,
    `/v1/user/api-keys/${context.params.apiKeyId}/hand-offs`,
    await createHandOff(context, "managed"),
  );
