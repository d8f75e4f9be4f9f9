import type { z } from "zod";
import type { Caller, Origin } from "@/lib/access/caller";
import { newHandOffToken, sha256 } from "@/lib/access/secrets";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { assertMayKnowSecret } from "@/lib/features/api-keys/rotate";
import {
  assertKeyUsable,
  findKeyForChange,
  findKeyRow,
  type Row,
  type Whose,
} from "@/lib/features/api-keys/rows";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { ApiError } from "@/lib/protocol/errors";
import type { HandOff, NewHandOff } from "./contract";
import { insertHandOff, takeHandOff } from "./rows";
import { defaultHandOffSeconds } from "./values";

const targetOf = ({ apiKeyId, name }: Pick<Row, "apiKeyId" | "name">) => ({
  type: "api-key",
  id: apiKeyId,
  name,
});

/** Throws 409 for a key whose secret works no more: nobody could use what is handed off. */
function assertSecretWorks(row: Row): void {
  assertKeyUsable(row);
  if (row.mustRotate || row.awaitsRotation)
    throw new ApiError(
      "api-key.rotation-required",
      `The secret of "${row.name}" does not work any more. Rotate the key first.`,
    );
}

interface CreationRequest {
  caller: Caller;
  params: { apiKeyId: string };
  body: z.output<typeof NewHandOff>;
}

/**
 * Stores an encrypted secret to be opened once. Whoever may rotate the key may do this: its owner, or of a service user's key a
 * manager who may do all that the service user may. Throws 403, 404, 409 and 429.
 */
export async function createHandOff(
  { caller, params, body }: CreationRequest,
  whose: Whose,
): Promise<z.output<typeof HandOff>> {
  const { tenantId, userId } = caller;
  return transactionFor(caller, async (tx) => {
    const { row, owner } = await findKeyForChange(tx, caller, params.apiKeyId, whose);
    assertMayKnowSecret(caller, owner);
    assertSecretWorks(row);
    const createdAt = new Date();
    const end = createdAt.getTime() + (body.validFor ?? defaultHandOffSeconds) * 1000;
    const expiresAt = new Date(Math.min(end, row.validTo.getTime()));
    const [id, token] = [newId("hof"), newHandOffToken()];
    // First, for it locks the tenant's row before the foreign key locks the API key's, as a rotation does.
    await record(tx, actingAs(caller), {
      action: "api-key.hand-off-created",
      target: targetOf(row),
      changes: { handOff: { after: id }, expiresAt: { after: expiresAt.toISOString() } },
    });
    await insertHandOff(tx, {
      ...{ tenantId, handOffId: id, apiKeyId: row.apiKeyId, userId },
      ...{ tokenHash: sha256(token), secretHash: row.secretHash, sealed: body.sealed },
      ...{ expiresAt, createdAt },
    });
    await assertQuota(tx, tenantId, "links");
    return { id, token, expiresAt: expiresAt.toISOString() };
  });
}

interface OpeningRequest {
  tenantId: string;
  origin: Origin;
  body: { token: string };
}

/** Answers the encrypted secret and deletes it. Throws 404 alike for whatever does not open. */
export function openHandOff({ tenantId, origin, body }: OpeningRequest) {
  return transaction(async (tx) => {
    const taken = await takeHandOff(tx, tenantId, sha256(body.token));
    const key = taken && (await findKeyRow(tx, taken));
    if (!key)
      throw new ApiError(
        "api-key.hand-off-not-found",
        "This link was already opened, has expired or was withdrawn.",
      );
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
