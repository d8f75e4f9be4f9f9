import { createHmac } from "node:crypto";
import { isMailOn } from "@/lib/access/authorization";
import { sealSecret } from "@/lib/access/sealed";
import { deriveKey } from "@/lib/access/secret-key";
import type { Transaction } from "@/lib/database/open";
import { insertMail, insertResetRequest } from "./rows";

const maxLength = 60;

/**
 * What somebody else chose (a login, the name of a key or a rule, a request id), for the text or subject of a mail: in quotes, in one
 * line and cut, so that it cannot pass for what Gatehouse says. Programs that read mail make links of everything that looks like an
 * address: its dots, colons and at signs are bracketed, also as wide as Chinese and Japanese have them.
 *
 * @example quote("Won: https://evil.example/a") // "Won: https[:]//evil[.]example/a"
 */
export function quote(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line;
  return `"${cut.replaceAll('"', "'").replace(/[.:@\u3002\uff0e\uff1a\uff20\uff61](?=\S)/g, "[$&]")}"`;
}

/** Requests for one login within this time are one mail, and so is what happens to an alert rule, for each person. */
const slotMs = 15 * 60_000;
const dayMs = 86_400_000;
/** How many mails may wait in a tenant before further requests for resets are dropped. */
const maxWaiting = 10_000;

/** What a mail is about, in a text that says nothing of it. */
const nameOf = (about: readonly (string | number)[]) =>
  createHmac("sha256", deriveKey("mail-names")).update(JSON.stringify(about)).digest("base64url");

/** Queues the notice of an audit entry, where mail is sent, in the transaction of the entry: to its owner, or to the user that is named. */
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
 * Queues the mails about a rule that fired or resolved, where mail is sent. What happens within a quarter of an hour of a mail is one further
 * mail at its end: each says how the rule is when it is sent, so that the last one is always true.
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
 * Queues the mails about a request for access to those who may decide, where mail is sent. What somebody asks for, withdraws and asks for
 * again is mailed once a day.
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
    /** Who wants which role where. */
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

/** Names the mail that asks for the confirmation of an address: one for each address of a user in a quarter of an hour. */
export function confirmationId(user: Omit<Addressed, "tenantId">, at: Date): string {
  const { userId, emailAddress } = user;
  const slot = Math.floor(at.getTime() / slotMs);
  return `confirmation:${nameOf([userId, emailAddress, slot])}`;
}

/** A person, and the e-mail address that is to be confirmed. */
interface Addressed {
  tenantId: string;
  userId: string;
  emailAddress: string;
}

/** Queues the question whether an address is the user's own, where mail is sent, in the transaction that sets the address. */
export async function queueConfirmation(tx: Transaction, user: Addressed): Promise<void> {
  if (!isMailOn()) return;
  const { tenantId, userId } = user;
  const createdAt = new Date();
  const mailId = confirmationId(user, createdAt);
  await insertMail(tx, { tenantId, userId, mailId, kind: "email-confirmation", createdAt });
}

/**
 * Queues the request of a reset for a login, by anybody. The same statement runs whether or not there is such a login, which is looked
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
