import { isNearEnd, shareOf } from "@/components/tenants/quota-words";
import { number, plural, t, translated } from "@/components/texts/t";
import type { Alert } from "@/lib/features/alerts/contract";
import type { Quota } from "@/lib/features/quotas/contract";
import { quotas as known } from "@/lib/features/quotas/values";
import type { Webhook } from "@/lib/features/webhooks/contract";

/** How many of a kind are counted; more are "20 or more". */
export const countedAtMost = 20;

/** What a tenant has that somebody should look at, as far as the reader may see it. */
export interface AttentionFacts {
  /** Alerts that fire, those that nobody acknowledged first. */
  firing: Pick<Alert, "id" | "name">[];
  /** API keys of everybody that expire within 14 days. */
  expiringKeys: number;
  /** Active API keys whose owner is locked. */
  keysOfLocked: number;
  lockedUsers: number;
  webhooks: Pick<Webhook, "status" | "disabledReason" | "failingSince">[];
  quotas: Pick<Quota, "quota" | "used" | "limit">[];
}

export interface AttentionItem {
  key: string;
  /** What it is. */
  text: string;
  /** What the link does. */
  action: string;
  href: string;
}

/** More than are counted are "20 or more". */
const counted = (count: number) =>
  count >= countedAtMost ? t("{count} or more", { count: countedAtMost }) : number(count);

const isFailing = ({ status, disabledReason, failingSince }: AttentionFacts["webhooks"][number]) =>
  status === "enabled" ? failingSince !== null : disabledReason !== "by-user";

const maxNamed = 3;

/** The first firing alerts by name, the others by their number. */
function firingItems(home: string, firing: AttentionFacts["firing"]): AttentionItem[] {
  const named = firing.slice(0, maxNamed).map(({ id, name }) => ({
    key: `alert-${id}`,
    text: t('Alert "{name}" is firing.', { name }),
    action: t("Show alert"),
    href: `${home}/alerts/${id}`,
  }));
  const others = firing.length - named.length;
  if (others === 0) return named;
  const text = plural(others, "{count} more alert is firing.", "{count} more alerts are firing.", {
    count: counted(others),
  });
  return [...named, { key: "alerts", text, action: t("Show alerts"), href: `${home}/alerts` }];
}

/** Quotas that are nearly used up. */
function nearItems(home: string, quotas: AttentionFacts["quotas"]): AttentionItem[] {
  return quotas.filter(isNearEnd).map((quota) => ({
    key: `quota-${quota.quota}`,
    text: t("{quota}: {percent} % of the limit is used.", {
      quota: translated(known[quota.quota].label),
      percent: Math.floor(shareOf(quota) * 100),
    }),
    action: t("Show limits"),
    href: `${home}/settings#quotas`,
  }));
}

/** What there is some of, as an item; nothing where there is none. */
function countedItem(count: number, item: AttentionItem): AttentionItem[] {
  return count > 0 ? [item] : [];
}

function webhookItem(home: string, failing: number): AttentionItem {
  return {
    key: "webhooks",
    text: plural(
      failing,
      "Deliveries to {count} webhook fail.",
      "Deliveries to {count} webhooks fail.",
      { count: counted(failing) },
    ),
    action: t("Show webhooks"),
    href: `${home}/webhooks`,
  };
}

function expiringItem(home: string, keys: number): AttentionItem {
  return {
    key: "expiring-keys",
    text: plural(
      keys,
      "{count} API key expires within 14 days.",
      "{count} API keys expire within 14 days.",
      { count: counted(keys) },
    ),
    action: t("Show expiring keys"),
    href: `${home}/keys?show=expiring`,
  };
}

function keysOfLockedItem(home: string, keys: number): AttentionItem {
  return {
    key: "keys-of-locked",
    text: plural(
      keys,
      "{count} active API key belongs to locked users.",
      "{count} active API keys belong to locked users.",
      { count: counted(keys) },
    ),
    action: t("Show their keys"),
    href: `${home}/keys?show=locked`,
  };
}

function lockedUsersItem(home: string, users: number): AttentionItem {
  return {
    key: "locked-users",
    text: plural(users, "{count} user is locked.", "{count} users are locked.", {
      count: counted(users),
    }),
    action: t("Show locked users"),
    href: `${home}/users?lock=true`,
  };
}

/** The list of what needs attention, the most urgent first; empty when all is well. */
export function attentionItems(tenant: string, facts: AttentionFacts): AttentionItem[] {
  const { expiringKeys, keysOfLocked, lockedUsers, firing, quotas } = facts;
  const failing = facts.webhooks.filter(isFailing).length;
  const home = `/t/${tenant}`;
  return [
    ...firingItems(home, firing),
    ...countedItem(failing, webhookItem(home, failing)),
    ...countedItem(expiringKeys, expiringItem(home, expiringKeys)),
    ...countedItem(keysOfLocked, keysOfLockedItem(home, keysOfLocked)),
    ...countedItem(lockedUsers, lockedUsersItem(home, lockedUsers)),
    ...nearItems(home, quotas),
  ];
}
