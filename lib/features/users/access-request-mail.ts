import { callerOf } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import { roles } from "@/lib/access/roles";
import { siteNamesOf } from "@/lib/access/sites";
import { db } from "@/lib/database/open";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { findEntry } from "@/lib/features/audit/entries-about";
import { sentenceText } from "@/lib/features/audit/sentence-text";
import { quote } from "@/lib/features/mail/queue";
import type { Words } from "@/lib/features/mail/words";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { publicUrl } from "@/lib/protocol/settings";
import { type AskedRow, findOpenWish } from "./access-request-rows";
import { mayDecideNow } from "./access-requests";
import { findConfirmedAddress, findUserRow } from "./rows";

interface Decider extends Recipient {
  entry: AuditEvent;
  asked: AskedRow;
  siteName: string;
}

/** A user who may sign in now, as a caller without a request. */
async function findReader(tenantId: string, userId: string) {
  const found = await describeCredential(tenantId, { userId });
  if (!found || found.deactivated || found.principal.isServiceUser) return undefined;
  const now = new Date();
  if (found.locks.some((lock) => isLockedAt(lock, now))) return undefined;
  const row = await findUserRow(db(), { tenantId, userId });
  if (row?.state !== "active" || row.erasedAt !== null) return undefined;
  const origin = { requestId: "", address: "local", agent: "mail" };
  return { row, caller: callerOf(found.principal, origin, undefined) };
}

/** The request that an entry is about, while it is open: a decided or withdrawn request needs no mail. */
async function findAsked(tenantId: string, { actor, changes }: AuditEvent) {
  const [roleId, siteId] = [changes.role?.after, changes.site?.after];
  if (typeof roleId !== "string") return undefined;
  const place = typeof siteId === "string" ? siteId : "";
  return findOpenWish(db(), { tenantId, userId: actor.id, siteId: place, roleId });
}

function textOf({ entry, asked: { request }, siteName }: Decider, words: Words): string {
  const { tenantId, roleId, reason } = request;
  const { say, instant } = words;
  const role = Object.hasOwn(roles, roleId) ? roles[roleId as keyof typeof roles].name : roleId;
  const facts = [
    say("Role: {role}", { role: say(role) }),
    siteName === "" ? say("Where: the whole tenant") : say("Site: {site}", { site: siteName }),
    ...(reason === "" ? [] : [say("Reason: {reason}", { reason: quote(reason) })]),
    say("Tenant: {tenant}", { tenant: tenantId }),
    say("When: {when}", { when: instant(request.createdAt) }),
  ];
  return [
    sentenceText(entry, words) ?? "",
    facts.join("\n"),
    say("Decide: {link}", { link: `${publicUrl()}/t/${tenantId}/notices#access-requests` }),
    say("You get this mail because you may grant this role. A request is mailed once."),
  ].join("\n\n");
}

/** The mail about an access request, to a user who may decide it when the mail is sent. */
export const accessRequestMailWriter = writer<Decider>({
  recipient: async ({ tenantId, auditId, userId }) => {
    const entry = auditId === null ? undefined : await findEntry(tenantId, auditId);
    const asked = entry && (await findAsked(tenantId, entry));
    const reader = userId === null ? undefined : await findReader(tenantId, userId);
    if (!entry || !asked || !reader) return undefined;
    const { row, caller } = reader;
    const isConfirmed = (await findConfirmedAddress(row)) === row.emailAddress;
    if (!isConfirmed || !(await mayDecideNow(caller, asked))) return undefined;
    const { siteId } = asked.request;
    const named = siteId === "" ? "" : ((await siteNamesOf(tenantId))[siteId] ?? siteId);
    const siteName = named === "" ? "" : quote(named);
    const { userId: id, emailAddress: address, preferences } = row;
    return { userId: id, address, language: preferences.language, entry, asked, siteName };
  },
  write: async (_mail, to, words) => ({
    subject: words.say("{login} asks for access", { login: quote(to.asked.user.login) }),
    text: textOf(to, words),
  }),
});
