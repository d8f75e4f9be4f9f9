import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { changingAccess } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { longestApiKeyDays } from "@/lib/access/lifetimes";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { ApiError, invalid } from "@/lib/api/errors";
import { labelKey, parseInstant } from "@/lib/api/formats";
import { cutPage, type Page, readCursor } from "@/lib/api/paging";
import { actingAs, record } from "@/lib/audit/service";
import { newId } from "@/lib/db/ids";
import { db, transaction } from "@/lib/db/open";
import { apiKeys } from "@/lib/db/schema/schema";
import { securityPolicy } from "@/lib/tenants/service";
import type { ApiKey, ListApiKeysQuery, NewApiKey } from "./contract";

type Row = typeof apiKeys.$inferSelect;

/** Throws 400 for an end that is past or too far. */
async function checkValidTo(tenantId: string, validTo: Date): Promise<void> {
  const days = (await securityPolicy(tenantId)).longestApiKeyDays ?? longestApiKeyDays;
  const now = Date.now();
  const refuse = (detail: string) => invalid([{ pointer: "/validTo", detail }]);
  if (validTo.getTime() <= now) throw refuse("/validTo must be in the future.");
  if (validTo.getTime() > now + days * 86_400_000) throw refuse(`/validTo must be at most ${days} days ahead.`);
}

/** Only the hash is stored: this answer is the last time anyone can read the key. Throws 409 for a name in use. */
export async function createApiKey(caller: Caller, { name, validTo }: z.output<typeof NewApiKey>) {
  await checkValidTo(caller.tenantId, validTo);
  const secret = newApiKey();
  const apiKeyId = newId("key");
  const hint = secret.slice(-4);
  await transaction(async (tx) => {
    const inserted = await tx
      .insert(apiKeys)
      .values({
        tenantId: caller.tenantId,
        apiKeyId,
        userId: caller.userId,
        name,
        nameKey: labelKey(name),
        secretHash: sha256(secret),
        hint,
        createdAt: new Date(),
        validTo,
      })
      .onConflictDoNothing({ target: [apiKeys.tenantId, apiKeys.userId, apiKeys.nameKey], where: sql`revoked_at is null` })
      .returning({ apiKeyId: apiKeys.apiKeyId });
    if (inserted.length === 0) throw new ApiError("api-key.name-taken", `You already have a key named "${name}".`, "/name");
    const changes = { name: { after: name }, validTo: { after: validTo.toISOString() } };
    await record(tx, actingAs(caller), { action: "api-key.created", target: { type: "api-key", id: apiKeyId, name }, changes });
  });
  return { apiKey: secret, apiKeyId, validTo: validTo.toISOString() };
}

const own = (caller: Caller) => and(eq(apiKeys.tenantId, caller.tenantId), eq(apiKeys.userId, caller.userId));

/** One's own keys, revoked ones among them, newest first; never the secret. */
export async function listApiKeys(caller: Caller, { limit, cursor }: z.output<typeof ListApiKeysQuery>): Promise<Page<ApiKey>> {
  const after = readCursor(cursor, 2, (value, index) => index === 1 || parseInstant(value) !== undefined);
  const before = after && new Date(after[0] ?? "");
  const older = before && or(lt(apiKeys.createdAt, before), and(eq(apiKeys.createdAt, before), lt(apiKeys.apiKeyId, after[1] ?? "")));
  const rows = await db()
    .select()
    .from(apiKeys)
    .where(and(own(caller), older))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.apiKeyId))
    .limit(limit + 1);
  const page = cutPage(rows, limit, (row) => [row.createdAt.toISOString(), row.apiKeyId]);
  return { items: page.items.map(answerOf), next: page.next };
}

export async function getApiKey(caller: Caller, apiKeyId: string): Promise<ApiKey> {
  const [row] = await db()
    .select()
    .from(apiKeys)
    .where(and(own(caller), eq(apiKeys.apiKeyId, apiKeyId)));
  if (!row) throw notFound();
  return answerOf(row);
}

/** The key is refused everywhere within a second. Revoking it again changes nothing. */
export async function revokeApiKey(caller: Caller, apiKeyId: string): Promise<void> {
  await changingAccess(caller.tenantId, async (tx) => {
    const mine = and(own(caller), eq(apiKeys.apiKeyId, apiKeyId));
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(mine, isNull(apiKeys.revokedAt)))
      .returning({ name: apiKeys.name });
    if (revoked) {
      await record(tx, actingAs(caller), { action: "api-key.revoked", target: { type: "api-key", id: apiKeyId, name: revoked.name } });
      return;
    }
    const existing = await tx.select({ apiKeyId: apiKeys.apiKeyId }).from(apiKeys).where(mine);
    if (existing.length === 0) throw notFound();
  });
}

const notFound = () => new ApiError("api-key.not-found", "You have no such API key.");

function statusOf(row: Row): ApiKey["status"] {
  if (row.revokedAt) return "revoked";
  if (row.validTo.getTime() <= Date.now()) return "expired";
  return row.suspendedAt ? "suspended" : "active";
}

function answerOf(row: Row): ApiKey {
  const { apiKeyId, name, hint, createdAt, validTo, lastUsedAt, lastUsedIp, lastUsedOperation } = row;
  return {
    apiKeyId,
    name,
    hint,
    status: statusOf(row),
    createdAt: createdAt.toISOString(),
    validTo: validTo.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedIp,
    lastUsedOperation,
  };
}
