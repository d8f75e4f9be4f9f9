import { describeKeys } from "@/lib/access/key-descriptions";
import { db } from "@/lib/database/open";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { findEntry } from "@/lib/features/audit/entries-about";
import { sentenceText } from "@/lib/features/audit/sentence-text";
import { quote } from "@/lib/features/mail/queue";
import type { Words } from "@/lib/features/mail/words";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { mailActor } from "@/lib/features/users/reset-mail";
import { findConfirmedAddress, findUserRow, type UserRow } from "@/lib/features/users/rows";
import { isEmailAddress } from "@/lib/protocol/formats";
import { publicUrl } from "@/lib/protocol/settings";
import type { NoticeKind } from "./contract";
import { noticeKindOf } from "./notices";

const said: Record<NoticeKind, string> = {
  "password-changed": "Your password was changed.",
  "password-reset": "Your password was reset.",
  "password-link-created": "A link to reset your password was created.",
  "profile-changed": "Your profile was changed.",
  "roles-changed": "Your roles were changed.",
  locked: "Your account was locked.",
  unlocked: "Your account was unlocked.",
  deactivated: "Your account was deactivated.",
  reactivated: "Your account was reactivated.",
  "sessions-ended": "Your sessions were ended.",
  "api-key-created": "An API key was created for you.",
  "api-key-changed": "One of your API keys was changed.",
  "api-key-suspended": "One of your API keys was suspended.",
  "api-key-leaked": "One of your API keys was reported as leaked.",
  "api-key-link-created": "A link to the secret of one of your API keys was created.",
  "api-key-link-opened": "A link to the secret of one of your API keys was opened.",
  "second-factor-added": "A second factor was set up for your account.",
  "second-factor-removed": "A second factor of your account was removed.",
  "second-factors-reset": "Your second factors were reset: the password alone signs in.",
  "recovery-codes-created": "Your recovery codes were replaced.",
  "recovery-code-used": "One of your recovery codes was used.",
  "passkey-count-fell":
    "One of your passkeys was used, and its count of uses fell: somebody may have a copy of it.",
  "identity-linked": "An account at an identity provider was linked: it signs you in.",
  "emergency-sign-in": "An emergency administrator signed in with a password.",
  "new-network": "Somebody signed in from a new network.",
};

/** Mailed even if the user's own session is the actor: actions that a thief of the session would take. Others would be noise. */
const mailedOfOneself: readonly NoticeKind[] = [
  "password-changed",
  "second-factor-added",
  "second-factor-removed",
  "recovery-codes-created",
  "recovery-code-used",
  "passkey-count-fell",
  "identity-linked",
  "emergency-sign-in",
  "password-reset",
  "profile-changed",
  "api-key-created",
  "api-key-leaked",
  "api-key-link-created",
];

interface Concerned extends Recipient {
  row: UserRow;
  entry: AuditEvent;
  kind: NoticeKind;
}

async function ownerOf(tenantId: string, { target }: AuditEvent): Promise<string | undefined> {
  if (target.type === "user") return target.id;
  if (target.type !== "api-key") return undefined;
  return (await describeKeys(tenantId, [target.id]))[0]?.userId;
}

/** A change of the address is mailed to the former one: an attacker who took over the account changes it first. */
function addressFor({ changes }: AuditEvent, { emailAddress }: UserRow): string {
  const former = changes.emailAddress?.before;
  return typeof former === "string" && isEmailAddress(former) ? former : emailAddress;
}

function isMailed(entry: AuditEvent, kind: NoticeKind, userId: string): boolean {
  if (entry.result !== "success" || entry.actor.id === mailActor) return false;
  return entry.actor.id !== userId || mailedOfOneself.includes(kind);
}

/** @param mailTo the recipient of the mail; by default the user that the entry is about */
async function findConcerned(
  tenantId: string,
  auditId: string,
  mailTo: string | null,
): Promise<Concerned | undefined> {
  const entry = await findEntry(tenantId, auditId);
  const kind = entry && noticeKindOf(entry.action);
  if (!kind) return undefined;
  const userId = mailTo ?? (await ownerOf(tenantId, entry));
  if (userId === undefined || !isMailed(entry, kind, userId)) return undefined;
  const row = await findUserRow(db(), { tenantId, userId });
  if (row?.kind !== "person" || row.erasedAt !== null) return undefined;
  const address = addressFor(entry, row);
  if (!isEmailAddress(address) || (await findConfirmedAddress(row)) !== address) return undefined;
  return { userId, address, language: row.preferences.language, row, entry, kind };
}

function authorOf({ row, entry: { actor }, kind }: Concerned, { say }: Words): string {
  if (kind === "api-key-link-opened") return say("whoever had the link, without signing in");
  if (actor.id === row.userId) return say("your own session or API key");
  return quote(actor.login ?? "Gatehouse");
}

/** The sentence of the audit trail, what it means for the user, and how to find the entry. */
function textOf(concerned: Concerned, words: Words): string {
  const { row, entry, kind } = concerned;
  const { target, occurredAt, requestId } = entry;
  const { say, instant } = words;
  const sentence = sentenceText(entry, words);
  const facts = [
    ...(target.type === "api-key" && target.name
      ? [say("API key: {name}", { name: quote(target.name) })]
      : []),
    say("User: {login} in the tenant {tenant}", { login: quote(row.login), tenant: row.tenantId }),
    say("When: {when}", { when: instant(new Date(occurredAt)) }),
    say("By: {author}", { author: authorOf(concerned, words) }),
    say("Request: {id}", { id: quote(requestId) }),
  ];
  return [
    say(said[kind]),
    ...(sentence === undefined ? [] : [sentence]),
    facts.join("\n"),
    say("Details: {link}", { link: `${publicUrl()}/t/${row.tenantId}/me` }),
    say(
      "If you did not expect this, change your password and tell an administrator of the tenant.",
    ),
  ].join("\n\n");
}

/** The mail about an event of a user's account, to a confirmed address: the same notice that the portal shows on its home page. */
export const noticeMailWriter = writer<Concerned>({
  recipient: async ({ tenantId, auditId, userId }) =>
    auditId === null ? undefined : findConcerned(tenantId, auditId, userId),
  write: async (_mail, to, words) => ({
    subject: words.say(said[to.kind]).replace(/\.$/, ""),
    text: textOf(to, words),
  }),
});
