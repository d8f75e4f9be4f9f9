import { and, eq, isNull } from "drizzle-orm";
import type { Executor, Transaction } from "@/lib/database/open";
import { passwordLinks, users } from "@/lib/database/schema/schema";
import type { UserKey } from "./rows";

export type PasswordLinkRow = typeof passwordLinks.$inferSelect;
export type VoidCause = NonNullable<PasswordLinkRow["voidCause"]>;

const byKey = ({ tenantId, userId }: UserKey) =>
  and(eq(passwordLinks.tenantId, tenantId), eq(passwordLinks.userId, userId));

/** Writes the user's one link over the earlier one. */
export async function upsertLink(
  tx: Transaction,
  { tenantId, userId }: UserKey,
  link: Omit<typeof passwordLinks.$inferInsert, "tenantId" | "userId">,
): Promise<void> {
  await tx
    .insert(passwordLinks)
    .values({ tenantId, userId, ...link })
    .onConflictDoUpdate({ target: [passwordLinks.tenantId, passwordLinks.userId], set: link });
}

export async function setVoidCause(
  tx: Transaction,
  key: UserKey,
  { cause, unlessVoid }: { cause: VoidCause; unlessVoid: boolean },
): Promise<void> {
  const stillValid = unlessVoid ? isNull(passwordLinks.voidCause) : undefined;
  await tx
    .update(passwordLinks)
    .set({ voidCause: cause })
    .where(and(byKey(key), stillValid));
}

export async function deleteLink(tx: Transaction, key: UserKey): Promise<void> {
  await tx.delete(passwordLinks).where(byKey(key));
}

/** The link with what is known about its user. */
export async function findLinkRow(
  tx: Executor,
  tenantId: string,
  { tokenHash, purpose }: Pick<PasswordLinkRow, "tokenHash" | "purpose">,
) {
  const [found] = await tx
    .select({
      link: passwordLinks,
      login: users.login,
      name: users.name,
      emailAddress: users.emailAddress,
      state: users.state,
    })
    .from(passwordLinks)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, passwordLinks.userId)))
    .where(
      and(
        eq(passwordLinks.tenantId, tenantId),
        eq(passwordLinks.tokenHash, tokenHash),
        eq(passwordLinks.purpose, purpose),
      ),
    );
  return found;
}
