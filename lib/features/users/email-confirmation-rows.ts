import { and, eq } from "drizzle-orm";
import type { Executor, Transaction } from "@/lib/database/open";
import { emailConfirmations } from "@/lib/database/schema/schema";
import { type UserKey, updateUserRow } from "./rows";

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(emailConfirmations.tenantId, tenantId), eq(emailConfirmations.userId, userId));

/** Writes the link that is mailed to the address over the user's earlier one. Throws where the user has another address by now. */
export async function upsertConfirmation(
  tx: Transaction,
  key: UserKey,
  link: { tokenHash: Buffer; expiresAt: Date; emailAddress: string },
): Promise<void> {
  const { emailAddress: askedEmail, ...set } = link;
  const { tenantId, userId } = key;
  const row = await updateUserRow(tx, key, { askedEmail });
  if (row?.emailAddress !== askedEmail) throw new Error("The e-mail address has changed.");
  await tx
    .insert(emailConfirmations)
    .values({ tenantId, userId, ...set })
    .onConflictDoUpdate({ target: [emailConfirmations.tenantId, emailConfirmations.userId], set });
}

/** Whose link it is, and until when it works. */
export async function findConfirmation(tx: Executor, tenantId: string, tokenHash: Buffer) {
  const { userId, expiresAt } = emailConfirmations;
  const [found] = await tx
    .select({ userId, expiresAt })
    .from(emailConfirmations)
    .where(
      and(eq(emailConfirmations.tenantId, tenantId), eq(emailConfirmations.tokenHash, tokenHash)),
    );
  return found;
}

/** The link ends: it was used, or the address is another one. */
export async function deleteConfirmation(tx: Transaction, key: UserKey): Promise<void> {
  await tx.delete(emailConfirmations).where(byKey(key));
}
