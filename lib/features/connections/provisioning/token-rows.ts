import { and, eq, gt, isNull, or } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { provisioningTokens } from "@/lib/database/schema/schema";

interface Key {
  tenantId: string;
  connectionId: string;
}

const ofConnection = ({ tenantId, connectionId }: Key) =>
  and(eq(provisioningTokens.tenantId, tenantId), eq(provisioningTokens.connectionId, connectionId));

/** Whether the connection has such a token, and it has not ended. */
export async function isTokenValid(key: Key, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { validTo } = provisioningTokens;
  const found = await db()
    .select({ createdAt: provisioningTokens.createdAt })
    .from(provisioningTokens)
    .where(
      and(
        ofConnection(key),
        eq(provisioningTokens.tokenHash, tokenHash),
        or(isNull(validTo), gt(validTo, now)),
      ),
    );
  return found.length > 0;
}

/** Makes this the current token. The one before is valid until then, and those before it end. False where there was none before. */
export async function replaceToken(
  tx: Transaction,
  key: Key,
  { tokenHash, previousValidTo }: { tokenHash: Buffer; previousValidTo: Date },
): Promise<boolean> {
  const isFormer = and(ofConnection(key), gt(provisioningTokens.validTo, new Date(0)));
  await tx.delete(provisioningTokens).where(isFormer);
  const retired = await tx
    .update(provisioningTokens)
    .set({ validTo: previousValidTo })
    .where(ofConnection(key))
    .returning({ createdAt: provisioningTokens.createdAt });
  await tx
    .insert(provisioningTokens)
    .values({ ...key, tokenHash, createdAt: new Date(), validTo: null });
  return retired.length > 0;
}
