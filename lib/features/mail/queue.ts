import { createHmac } from "node:crypto";
import { isMailOn } from "@/lib/access/authorization";
import { sealSecret } from "@/lib/access/sealed";
import { deriveKey } from "@/lib/access/secret-key";
import type { Transaction } from "@/lib/database/open";
import { insertMail, insertResetRequest } from "./rows";

const maxLength = 60;

/**
 * User-supplied text (a login, the name of a key or a rule, a request id) for the text or subject of a mail: quoted, on one line and
 * truncated, so that it cannot pass for a sentence of Gatehouse. Mail clients make links of everything that looks like an address:
 * its dots, colons and at signs are bracketed, including their fullwidth forms.
 *
 * @example quote("Won: https://evil.example/a") // "Won: https[:]//evil[.]example/a"
 */
export function quote(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line;
  return `"${cut.replaceAll('"', "'").replace(/[.:@\u3002\uff0e\uff1a\uff20\uff61](?=\S)/g, "[$&]")}"`;
}

/** Reset requests for one login within this time are sent as one mail, and so are one recipient's mails about an alert rule. */
const slotMs = 15 * 60_000;
const dayMs = 86_400_000;
/** Mails that may be pending in a tenant before further reset requests are dropped. */
const maxWaiting = 10_000;

/** An opaque name for what a mail is about. */
const nameOf = (about: readonly (string | number)[]) =>
  createHmac("sha256", deriveKey("mail-names")).update(JSON.stringify(about)).digest("base64url");

/** Queues the notice of an audit entry, if mail is enabled, in the transaction of the entry: to its owner or to the given user. */
export async function queueNotice(
  tx: Transaction,
  tenantId: string,
  entry: { auditId: string; occurredAt: Date },
  userId?: string,
): Promise<void> {
  if (!isMailOn()) return;
  const { auditId, occurredAt: createdAt } = entry;
  await insertMail(tx, {
    tenantId,
    mailId: userId === undefined ? `notice:${auditId}` : `notice:${auditId}:${userId}`,
    ...(userId !== undefined && { userId }),
    kind: "notice",
    auditId,
    createdAt,
  });
}

/**
 * Queues the mails about a rule that fired or resolved, if mail is enabled. Changes within 15 minutes after a mail are combined into one
 * further mail: each reports the state of the rule when it is sent, so that the last one is always true.
 */
export async function queueAlertMails(
  tx: Transaction,
  { tenantId, alertId, mailTo }: { tenantId: string; alertId: string; mailTo: readonly string[] },
): Promise<void> {
  if (!isMailOn()) return;
  const createdAt = new Date();
  const slot = Math.floor(createdAt.getTime() / slotMs);
  const common = { tenantId, kind: "alert", alertId, createdAt } as const;
  for (const userId of mailTo) {
    const idOf = (at: number) => `alert:${alertId}:${userId}:${at}`;
    if (await insertMail(tx, { ...common, userId, mailId: idOf(slot) })) continue;
    const dueAt = new Date((slot + 1) * slotMs);
    await insertMail(tx, { ...common, userId, mailId: idOf(slot + 1), dueAt });
  }
}

/**
 * Queues the mails about an access request to the users who may decide, if mail is enabled. A request that is withdrawn and repeated is
 * mailed once a day.
 */
export async function queueAccessRequestMails(
  tx: Transaction,
  tenantId: string,
  {
    entry: { auditId, occurredAt: createdAt },
    wish,
    to,
  }: {
    entry: { auditId: string; occurredAt: Date };
    /** Identifies the request by requester, role and place. */
    wish: readonly string[];
    to: readonly string[];
  },
): Promise<void> {
  if (!isMailOn()) return;
  const day = Math.floor(createdAt.getTime() / dayMs);
  for (const userId of to) {
    const mailId = `access:${nameOf([...wish, userId, day])}`;
    await insertMail(tx, { tenantId, mailId, kind: "access-request", auditId, userId, createdAt });
  }
}

/** The id of the mail that confirms an address: one per user and address in 15 minutes. */
export function confirmationId(user: Omit<Addressed, "tenantId">, at: Date): string {
  const { userId, emailAddress } = user;
  const slot = Math.floor(at.getTime() / slotMs);
  return `confirmation:${nameOf([userId, emailAddress, slot])}`;
}

/** A user and the e-mail address to confirm. */
interface Addressed {
  tenantId: string;
  userId: string;
  emailAddress: string;
}

/** Queues the confirmation mail for an address, if mail is enabled, in the transaction that sets the address. */
export async function queueConfirmation(tx: Transaction, user: Addressed): Promise<void> {
  if (!isMailOn()) return;
  const { tenantId, userId } = user;
  const createdAt = new Date();
  const mailId = confirmationId(user, createdAt);
  await insertMail(tx, { tenantId, userId, mailId, kind: "email-confirmation", createdAt });
}

/**
 * Queues an anonymous reset request for a login. The same statement runs whether or not there is such a login, which is looked
 * up when the mail is sent: neither the response nor its time reveals it. The login is sealed until then, and its name in the row is a MAC.
 */
export async function queueResetRequest(
  tenantId: string,
  loginKey: string,
  requestId: string,
): Promise<void> {
  const createdAt = new Date();
  const slot = Math.floor(createdAt.getTime() / slotMs);
  const mailId = `reset:${nameOf([tenantId, loginKey, slot])}`;
  const login = sealSecret("mail-logins", Buffer.from(loginKey), mailId);
  const request = {
    tenantId,
    mailId,
    kind: "password-reset",
    login,
    requestId,
    createdAt,
  } as const;
  await insertResetRequest(request, maxWaiting);
}
