import { isNearEnd, shareOf } from "@/components/tenants/quotas-table";
import { number, plural, t, translated } from "@/components/texts/t";
import { serverNow } from "@/components/ui/clock";
import type { Alert } from "@/lib/features/alerts/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";
import type { Webhook } from "@/lib/features/destinations/webhooks/contract";
import type { Notice } from "@/lib/features/notices/contract";
import type { Quota } from "@/lib/features/quotas/contract";
import { quotas as known } from "@/lib/features/quotas/values";
import { isNews, noticeWords } from "./notice-words";
import { earliest, line, type NoticeLine, type OwnFacts, ownKeyLines, when } from "./own-key-lines";

/** The maximum count of a kind; more are "20 or more". */
export const countedAtMost = 20;

/** The facts of a tenant that need attention, as far as the reader may see them. */
export interface TenantFacts {
  /** The time from which the reader needs a second factor, if none is set up. */
  secondFactorDue?: string;
  /** Other people's keys that were reported as leaked. */
  leaked: Pick<ManagedKey, "name" | "owner">[];
  /** Alerts that fire, unacknowledged ones first. */
  firing: Pick<Alert, "id" | "name">[];
  /** Names of requested roles that the reader may grant, the oldest request first. */
  asked: { name: string; role: string; createdAt: string }[];
  /** API keys of all users that expire within 14 days. */
  expiring: Pick<ManagedKey, "validTo">[];
  /** Active API keys whose owner is locked. */
  keysOfLocked: number;
  lockedUsers: number;
  webhooks: Pick<Webhook, "status" | "disabledReason" | "failingSince">[];
  quotas: Pick<Quota, "quota" | "used" | "limit">[];
}

/** The second factor that the reader has to set up before the sign-in requires it. */
function secondFactorLine(home: string, due: string | undefined) {
  const isDue = due !== undefined && Date.parse(due) <= serverNow();
  return line(due === undefined ? 0 : 1, () => ({
    kind: "second-factor",
    text: isDue
      ? t("Signing in requires a second factor, and you have none. Set one up now.")
      : t("Signing in will require a second factor {when}. Set one up before then.", {
          when,
        }),
    first: due,
    action: { label: t("Set up second factor"), href: `${home}/me#second-factors` },
  }));
}

/** Counts above the maximum are "20 or more". */
const counted = (count: number) =>
  count >= countedAtMost ? t("{count} or more", { count: countedAtMost }) : number(count);

function othersLeakedLine(home: string, leaked: TenantFacts["leaked"]) {
  const [only] = leaked;
  const owner = leaked.length === 1 ? only?.owner : undefined;
  return line(leaked.length, () => ({
    kind: "others-leaked",
    tone: "danger",
    text:
      leaked.length === 1
        ? t(
            'Key "{name}" of {owner} was reported as leaked and is suspended until it has a new secret.',
            { name: only?.name ?? "", owner: owner?.name ?? "" },
          )
        : t(
            "{count} keys of others were reported as leaked and are suspended until they have new secrets.",
            { count: number(leaked.length) },
          ),
    action: owner
      ? {
          label: t("Show keys of {login}", { login: owner.login }),
          href: `${home}/users/${owner.id}/api-keys`,
        }
      : { label: t("Show their keys"), href: `${home}/keys?show=suspended` },
  }));
}

function firingLine(home: string, firing: TenantFacts["firing"]) {
  const [first] = firing;
  return line(firing.length, () => ({
    kind: "alerts",
    tone: "danger",
    text:
      firing.length === 1
        ? t('Alert "{name}" is firing.', { name: first?.name ?? "" })
        : t("{count} alerts are firing.", { count: counted(firing.length) }),
    action:
      firing.length === 1 && first
        ? { label: t("Show alert"), href: `${home}/alerts/${first.id}` }
        : { label: t("Show alerts"), href: `${home}/alerts?status=firing` },
  }));
}

function askedLine(home: string, asked: TenantFacts["asked"]) {
  const [only] = asked;
  const first = only?.createdAt;
  return line(asked.length, () => ({
    kind: "access-requests",
    text:
      asked.length === 1
        ? t("{name} asks for the role {role}, {when}.", {
            name: only?.name ?? "",
            role: only?.role ?? "",
            when,
          })
        : t("{count} roles are asked for, the first {when}.", {
            count: number(asked.length),
            when,
          }),
    first,
    action: { label: t("Decide"), href: `${home}/notices#access-requests` },
  }));
}

const isFailing = ({ status, disabledReason, failingSince }: TenantFacts["webhooks"][number]) =>
  status === "enabled" ? failingSince !== null : disabledReason !== "by-user";

/** Adds the first date when it is known. */
const sinceFirst = (text: string, first: string | undefined) =>
  first === undefined ? text : t("{text} The first {when}.", { text, when });

function webhookLine(home: string, failing: TenantFacts["webhooks"]) {
  const first = earliest(failing.flatMap(({ failingSince }) => failingSince ?? []));
  const text = plural(
    failing.length,
    "Deliveries to {count} webhook fail.",
    "Deliveries to {count} webhooks fail.",
    { count: counted(failing.length) },
  );
  return line(failing.length, () => ({
    kind: "webhooks",
    text: sinceFirst(text, first),
    first,
    action: { label: t("Show webhooks"), href: `${home}/webhooks` },
  }));
}

function expiringLine(home: string, keys: TenantFacts["expiring"]) {
  // When there are more than were loaded, the first may be among the others.
  const known = keys.length < countedAtMost ? keys : [];
  const first = earliest(known.map(({ validTo }) => validTo));
  const text = plural(
    keys.length,
    "{count} API key expires within 14 days.",
    "{count} API keys expire within 14 days.",
    { count: counted(keys.length) },
  );
  return line(keys.length, () => ({
    kind: "expiring-keys",
    text: sinceFirst(text, first),
    first,
    action: { label: t("Show expiring keys"), href: `${home}/keys?show=expiring` },
  }));
}

function lockedLines(home: string, { keysOfLocked, lockedUsers }: TenantFacts) {
  return [
    ...line(keysOfLocked, () => ({
      kind: "keys-of-locked",
      text: plural(
        keysOfLocked,
        "{count} active API key belongs to locked users.",
        "{count} active API keys belong to locked users.",
        { count: counted(keysOfLocked) },
      ),
      action: { label: t("Show their keys"), href: `${home}/keys?show=locked` },
    })),
    ...line(lockedUsers, () => ({
      kind: "locked-users",
      text: plural(lockedUsers, "{count} user is locked.", "{count} users are locked.", {
        count: counted(lockedUsers),
      }),
      action: { label: t("Show locked users"), href: `${home}/users?lock=true` },
    })),
  ];
}

function quotaLine(home: string, quotas: TenantFacts["quotas"]) {
  const names = quotas.map((quota) =>
    t("{quota} {percent} %", {
      quota: translated(known[quota.quota].label),
      percent: Math.floor(shareOf(quota) * 100),
    }),
  );
  return line(quotas.length, () => ({
    kind: "quotas",
    text: t("Limits that are nearly used up: {names}", { names: names.join(", ") }),
    action: { label: t("Show limits"), href: `${home}/settings#quotas` },
  }));
}

/** Changes of the account by others, a line for each kind, the latest first. */
function happenedLines(happened: Notice[]): NoticeLine[] {
  const news = happened.filter(isNews);
  const kinds = [...new Set(news.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const notices = news.filter((one) => one.kind === kind);
    const first = earliest(notices.map(({ occurredAt }) => occurredAt));
    const tone = kind === "new-network" ? "warning" : "neutral";
    return { kind, tone, text: noticeWords(notices), count: notices.length, first, notices };
  });
}

/** All notices of the reader in this tenant, one line for each kind, the most urgent first; used wherever notices are shown. */
export function noticeLines(tenant: string, facts: TenantFacts, own: OwnFacts): NoticeLine[] {
  const home = `/t/${tenant}`;
  const [urgent, later] = [ownKeyLines(tenant, own.keys), happenedLines(own.happened)];
  return [
    ...urgent.filter(({ tone }) => tone === "danger"),
    ...othersLeakedLine(home, facts.leaked),
    ...firingLine(home, facts.firing),
    ...secondFactorLine(home, facts.secondFactorDue),
    ...askedLine(home, facts.asked),
    ...urgent.filter(({ tone }) => tone !== "danger"),
    ...later,
    ...webhookLine(home, facts.webhooks.filter(isFailing)),
    ...expiringLine(home, facts.expiring),
    ...lockedLines(home, facts),
    ...quotaLine(home, facts.quotas.filter(isNearEnd)),
  ];
}
