import { and, count, eq, gt, gte, or, sql } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { mails } from "@/lib/database/schema/schema";

export type MailRow = typeof mails.$inferSelect;
export type NewMail = Pick<MailRow, "tenantId" | "mailId" | "kind" | "createdAt"> &
  Partial<Pick<MailRow, "auditId" | "login" | "requestId" | "alertId" | "userId" | "dueAt">>;

/** A mail that this process claimed for a while: `attempts` says whether it still holds it. */
type Claimed = Pick<MailRow, "tenantId" | "mailId" | "attempts">;

const stillClaimed = ({ tenantId, mailId, attempts }: Claimed) =>
  and(eq(mails.tenantId, tenantId), eq(mails.mailId, mailId), eq(mails.attempts, attempts));

/** Queues a mail in the transaction of its cause, due at once unless it says when. False where there is one of this id. */
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

/** Queues the request of a reset, in a tenant that exists and has fewer than `maxWaiting` mails waiting. */
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

/** The mail is sent to somebody, or nobody gets it; undone when another process has taken it over. */
export async function settleMail(
  mail: Claimed,
  { userId, sentAt }: Partial<Pick<MailRow, "userId" | "sentAt">>,
): Promise<void> {
  await db()
    .update(mails)
    .set({ dueAt: null, login: null, userId: userId ?? null, sentAt: sentAt ?? null })
    .where(stillClaimed(mail));
}

export async function postponeMail(mail: Claimed, dueAt: Date): Promise<void> {
  await db().update(mails).set({ dueAt }).where(stillClaimed(mail));
}

/**
 * The place of a claimed mail among those that the tenant sent since an instant and those that are on their way, up to `max` + 1.
 * Mails that are claimed at the same time have different places: of them no more are sent than there are places.
 */
export async function placeOfDay(
  { tenantId, mailId, dueAt }: Pick<MailRow, "tenantId" | "mailId" | "dueAt">,
  since: Date,
  max: number,
): Promise<number> {
  const now = new Date();
  const before = sql`(${mails.dueAt} < ${dueAt} or (${mails.dueAt} = ${dueAt} and ${mails.mailId} <= ${mailId}))`;
  const inFlight = and(gt(mails.dueAt, now), gt(mails.attempts, 0), before);
  const counted = db()
    .select({ one: mails.mailId })
    .from(mails)
    .where(and(eq(mails.tenantId, tenantId), or(gte(mails.sentAt, since), inFlight)))
    .limit(max + 1)
    .as("counted");
  return db().$count(counted);
}

/** How many mails of a kind the user got since an instant. */
export async function countSentTo(
  { tenantId, userId }: { tenantId: string; userId: string },
  kind: MailRow["kind"],
  since: Date,
): Promise<number> {
  const [row] = await db()
    .select({ sent: count() })
    .from(mails)
    .where(
      and(
        eq(mails.tenantId, tenantId),
        eq(mails.userId, userId),
        gte(mails.sentAt, since),
        eq(mails.kind, kind),
      ),
    );
  return row?.sent ?? 0;
}
