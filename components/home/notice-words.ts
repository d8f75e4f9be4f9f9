import { type Message, msg, t } from "@/components/texts/t";
import type { Notice, NoticeKind } from "@/lib/features/notices/contract";

const words: Record<NoticeKind, Message> = {
  "password-changed": msg("Your password was changed"),
  "password-reset": msg("Your password was reset"),
  "password-link-created": msg("A link to set your password was created"),
  "profile-changed": msg("Your profile was changed"),
  "roles-changed": msg("Your roles were changed"),
  locked: msg("Your account was locked"),
  unlocked: msg("Your account was unlocked"),
  deactivated: msg("Your account was deactivated"),
  reactivated: msg("Your account was reactivated"),
  "sessions-ended": msg("All your sessions were ended"),
  "api-key-created": msg("API key created"),
  "api-key-changed": msg("API key changed"),
  "api-key-suspended": msg("API key suspended"),
  "api-key-leaked": msg("API key reported as leaked"),
  "api-key-link-created": msg("Link to the secret of an API key created"),
  "api-key-link-opened": msg("Link to the secret of an API key opened"),
  "second-factor-added": msg("Second factor set up"),
  "second-factor-removed": msg("Second factor removed"),
  "second-factors-reset": msg("Second factors reset"),
  "recovery-codes-created": msg("Recovery codes replaced"),
  "recovery-code-used": msg("Recovery code used"),
  "passkey-count-fell": msg("Somebody may have a copy of your passkey: replace it"),
  "identity-linked": msg("An account at an identity provider was linked: it signs you in"),
  "emergency-sign-in": msg("Emergency administrator signed in"),
  "new-network": msg("You signed in from a new network"),
};

const fieldWords: Record<string, Message> = {
  name: msg("name"),
  emailAddress: msg("e-mail address"),
};

/** Actions by the reader's own credential that are notices anyway: they may come from a thief of the credential. */
const newsOfOneself: readonly NoticeKind[] = [
  "new-network",
  "recovery-code-used",
  "passkey-count-fell",
  "identity-linked",
];

/** The reader's own actions are not notices. */
export const isNews = ({ kind, byOneself }: Notice) => !byOneself || newsOfOneself.includes(kind);

function detailOf({ kind, fields, subject }: Notice): string | undefined {
  if (kind !== "profile-changed") return subject;
  const named = fields.flatMap((field) => {
    const known = fieldWords[field];
    return known ? [t(known)] : [];
  });
  return named.length > 0 ? named.join(", ") : undefined;
}

/** The author, as the end of a sentence. */
export function authorWords({ kind, byOneself, by, address }: Notice): string {
  if (kind === "api-key-link-opened") return t("by whoever had the link");
  if (byOneself)
    return address === undefined || address === "local"
      ? t("by you")
      : t("by you from {address}", { address });
  if (by.type === "system") return t("by the system");
  return t("by {login}", { login: by.login ?? by.id });
}

/** The text that all have in common; undefined when they differ. */
function common(texts: (string | undefined)[]): string | undefined {
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

/** The event, author and count of notices of one kind. */
export function noticeWords(notices: Notice[]): string {
  const [first] = notices;
  if (!first) return "";
  const detail = common(notices.map(detailOf));
  const author = common(notices.map(authorWords));
  const what = detail ? `${t(words[first.kind])}: ${detail}` : t(words[first.kind]);
  const who = author ? `, ${author}` : "";
  const count = notices.length;
  if (count === 1) return `${what}${who}, {when}`;
  return `${t("{what}, {count} times", { what, count })}${who}, ${t("the first {when}", { when: "{when}" })}`;
}
