import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Transaction } from "@/lib/database/open";
import { mailedLinks, passwordLinks, users } from "@/lib/database/schema/schema";
import type { UserKey } from "./rows";

/** The issuing operation of a link mailed at the user's request: it depends on no issuer's permissions, only on what voids every link. */
export const selfIssued = "POST /v1/user/password-resets";

export type PasswordLinkRow = typeof passwordLinks.$inferSelect;
export type VoidCause = NonNullable<PasswordLinkRow["voidCause"]>;

/** The tables of issued links and of mailed links. */
const tables = [passwordLinks, mailedLinks] as const;
type LinkTable = (typeof tables)[number];

const byKey = (table: LinkTable, { tenantId, userId }: UserKey) =>
  and(eq(table.tenantId, tenantId), eq(table.userId, userId));

/** Stores the link that is mailed to the user, replacing the earlier one. */
export async function upsertMailedLink(
  tx: Transaction,
  { tenantId, userId }: UserKey,
  link: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  const set = { ...link, voidCause: null };
  await tx
    .insert(mailedLinks)
    .values({ tenantId, userId, ...set })
    .onConflictDoUpdate({ target: [mailedLinks.tenantId, mailedLinks.userId], set });
}

/** Stores the user's issued link, replacing the earlier one. */
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
  for (const table of tables) {
    const stillValid = unlessVoid ? isNull(table.voidCause) : undefined;
    await tx
      .update(table)
      .set({ voidCause: cause })
      .where(and(byKey(table, key), stillValid));
  }
}

/** Voids the links of many users whose roles changed. */
export async function voidLinksOf(
  tx: Transaction,
  tenantId: string,
  userIds: readonly string[],
): Promise<void> {
  for (const table of tables)
    await tx
      .update(table)
      .set({ voidCause: "roles" })
      .where(and(eq(table.tenantId, tenantId), inArray(table.userId, [...userIds])));
}

/** Deletes the user's links: once a password is set, none of them is valid. */
export async function deleteLinks(tx: Transaction, key: UserKey): Promise<void> {
  for (const table of tables) await tx.delete(table).where(byKey(table, key));
}

/** The columns about the user of a link. */
const ofUser = {
  login: users.login,
  name: users.name,
  emailAddress: users.emailAddress,
  usedEmail: users.usedEmail,
  state: users.state,
};

/** The mailed link with its user. The user requested it, so it depends on no other user's permissions. */
async function findMailedLink(tx: Executor, tenantId: string, tokenHash: Buffer) {
  const [found] = await tx
    .select({ link: mailedLinks, ...ofUser })
    .from(mailedLinks)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, mailedLinks.userId)))
    .where(and(eq(mailedLinks.tenantId, tenantId), eq(mailedLinks.tokenHash, tokenHash)));
  if (!found) return undefined;
  const link: PasswordLinkRow = {
    ...{ ...found.link, purpose: "reset", issuedBy: selfIssued },
    ...{ issuerTenantId: tenantId, issuerUserId: found.link.userId },
    ...{ issuerKeyId: null, issuerSiteId: null, issuerEpoch: null },
  };
  return { ...found, link };
}

/** The link with its user. */
export async function findLinkRow(
  tx: Executor,
  tenantId: string,
  { tokenHash, purpose }: Pick<PasswordLinkRow, "tokenHash" | "purpose">,
) {
  const [found] = await tx
    .select({ link: passwordLinks, ...ofUser })
    .from(passwordLinks)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, passwordLinks.userId)))
    .where(
      and(
        eq(passwordLinks.tenantId, tenantId),
        eq(passwordLinks.tokenHash, tokenHash),
        eq(passwordLinks.purpose, purpose),
      ),
    );
  if (found || purpose !== "reset") return found;
  return findMailedLink(tx, tenantId, tokenHash);
}
