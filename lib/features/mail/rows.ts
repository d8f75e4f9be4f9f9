import { and, eq } from "drizzle-orm";
import { lockTenant } from "@/lib/access/access-versions";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { mails } from "@/lib/database/schema/schema";
import { readWithin } from "@/lib/database/transaction";

export type MailRow = typeof mails.$inferSelect;
export type NewMail = Pick<MailRow, "tenantId" | "mailId" | "kind" | "createdAt"> &
  Partial<Pick<MailRow, "auditId" | "login" | "requestId" | "alertId" | "userId" | "dueAt">>;

/** A mail that this process claimed for a while: `attempts` says whether it still holds it. */
type Claimed = Pick<MailRow, "tenantId" | "mailId" | "attempts">;

const stillClaimed = ({ tenantId, mailId, attempts }: Claimed) =>
  and(eq(mails.tenantId, tenantId), eq(mails.mailId, mailId), eq(mails.attempts, attempts));

/** Queues a mail in the transaction of its cause, due at once unless it has a due time. False if a mail with this id exists. */
export async function insertMail(tx: Transaction, mail: NewMail): Promise<boolean> {
  const inserted = await tx
    .insert(mails)
    .values({ dueAt: mail.createdAt, ...mail })
    .onConflictDoNothing({ target: [mails.tenantId, mails.mailId] })
    .returning({ mailId: mails.mailId });
  return inserted.length > 0;
}

const insertRequest = `insert into mails (tenant_id, mail_id, kind, login, request_id, created_at, due_at)
  select t.tenant_id, $2, 'password-reset', $3, $4, $5, $5 from tenants t where t.tenant_id = $1
  and (select count(*) from (select 1 from mails m where m.tenant_id = $1 and m.due_at is not null limit $6) w) < $6
  on conflict (tenant_id, mail_id) do nothing`;

/** Queues a reset request, in a tenant that exists and has fewer than `maxWaiting` mails waiting. */
export async function insertResetRequest(
  { tenantId, mailId, login, requestId, createdAt }: NewMail,
  maxWaiting: number,
): Promise<void> {
  const values = [tenantId, mailId, login, requestId, createdAt, maxWaiting];
  await db().$client.query({ name: "queue-reset-mail", text: insertRequest, values });
}

const claim = `update mails set due_at = $3, attempts = attempts + 1 where tenant_id = $1 and mail_id in (
    select mail_id from mails where tenant_id = $1 and due_at <= $2 order by due_at limit $4 for update skip locked)
  returning tenant_id as "tenantId", mail_id as "mailId", kind, audit_id as "auditId", alert_id as "alertId", login, request_id as "requestId",
    created_at as "createdAt", due_at as "dueAt", attempts, user_id as "userId", sent_at as "sentAt"`;

/** Takes mails that are due; no other process takes them before `until`. */
export async function claimMails(
  tenantId: string,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<MailRow[]> {
  const values = [tenantId, now, until, limit];
  return (await db().$client.query<MailRow>({ name: "claim-mails", text: claim, values })).rows;
}

/** Marks the mail as sent or dropped, unless another process has taken it over. */
export async function settleMail(mail: Claimed, was: "sent" | "dropped"): Promise<void> {
  const unsent = was === "dropped" ? { userId: null, sentAt: null } : {};
  await db()
    .update(mails)
    .set({ dueAt: null, login: null, ...unsent })
    .where(stillClaimed(mail));
}

/** Schedules the next attempt for an unsent mail, which no longer counts toward a daily limit. */
export async function postponeMail(mail: Claimed, dueAt: Date): Promise<void> {
  await db().update(mails).set({ dueAt, userId: null, sentAt: null }).where(stillClaimed(mail));
}

const reserve = `update mails set user_id = $4, sent_at = $5 where tenant_id = $1 and mail_id = $2 and attempts = $3
  and (select count(*) from (select 1 from mails m where m.tenant_id = $1 and m.sent_at >= $6 and m.mail_id <> $2 limit $7) d) < $7
  and (select count(*) from (select 1 from mails m where m.tenant_id = $1 and m.user_id = $4 and m.sent_at >= $6 and m.kind = $9
    and m.mail_id <> $2 limit $8) p) < $8
  returning mail_id`;

/**
 * Counts a claimed mail as sent before it is, which `postponeMail` undoes; false if the daily limit of the tenant, or of its kind to this
 * user, is reached. Reservations run one after the other, so that concurrent mails cannot exceed the limit.
 */
export function reserveMail(
  { tenantId, mailId, attempts, kind }: Claimed & Pick<MailRow, "kind">,
  userId: string,
  max: { since: Date; ofTenant: number; ofPerson: number },
): Promise<boolean> {
  return transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const day = [new Date(), max.since, max.ofTenant, max.ofPerson];
    const values = [tenantId, mailId, attempts, userId, ...day, kind];
    return (await readWithin(tx, reserve, values)).length === 1;
  });
}
