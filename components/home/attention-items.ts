import { isNearEnd, shareOf } from "@/components/tenants/quota-words";
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

function counted(count: number, one: string, many: string): string {
  if (count >= countedAtMost) return `${countedAtMost} or more ${many}`;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

const isFailing = ({ status, disabledReason, failingSince }: AttentionFacts["webhooks"][number]) =>
  status === "enabled" ? failingSince !== null : disabledReason !== "by-user";

const maxNamed = 3;

/** The first firing alerts by name, the others by their number. */
function firingItems(home: string, firing: AttentionFacts["firing"]): AttentionItem[] {
  const named = firing.slice(0, maxNamed).map(({ id, name }) => ({
    key: `alert-${id}`,
    text: `Alert "${name}" is firing.`,
    action: "Show alert",
    href: `${home}/alerts/${id}`,
  }));
  const others = firing.length - named.length;
  if (others === 0) return named;
  const text = `${counted(others, "more alert is", "more alerts are")} firing.`;
  return [...named, { key: "alerts", text, action: "Show alerts", href: `${home}/alerts` }];
}

/** Quotas that are nearly used up. */
function nearItems(home: string, quotas: AttentionFacts["quotas"]): AttentionItem[] {
  return quotas.filter(isNearEnd).map((quota) => ({
    key: `quota-${quota.quota}`,
    text: `${known[quota.quota].label}: ${Math.floor(shareOf(quota) * 100)} % of the limit is used.`,
    action: "Show limits",
    href: `${home}/settings#quotas`,
  }));
}

/** The list of what needs attention, the most urgent first; empty when all is well. */
export function attentionItems(tenant: string, facts: AttentionFacts): AttentionItem[] {
  const { expiringKeys, keysOfLocked, lockedUsers, webhooks, quotas } = facts;
  const failing = webhooks.filter(isFailing).length;
  const home = `/t/${tenant}`;
  const found: [boolean, AttentionItem][] = [
    [
      failing > 0,
      {
        key: "webhooks",
        text: `Deliveries to ${counted(failing, "webhook", "webhooks")} fail.`,
        action: "Show webhooks",
        href: `${home}/webhooks`,
      },
    ],
    [
      expiringKeys > 0,
      {
        key: "expiring-keys",
        text: `${counted(expiringKeys, "API key expires", "API keys expire")} within 14 days.`,
        action: "Show expiring keys",
        href: `${home}/keys?show=expiring`,
      },
    ],
    [
      keysOfLocked > 0,
      {
        key: "keys-of-locked",
        text: `${counted(keysOfLocked, "active API key belongs", "active API keys belong")} to locked users.`,
        action: "Show their keys",
        href: `${home}/keys?show=locked`,
      },
    ],
    [
      lockedUsers > 0,
      {
        key: "locked-users",
        text: `${counted(lockedUsers, "user is", "users are")} locked.`,
        action: "Show locked users",
        href: `${home}/users?lock=true`,
      },
    ],
  ];
  const others = found.flatMap(([isThere, item]) => (isThere ? [item] : []));
  return [...firingItems(home, facts.firing), ...others, ...nearItems(home, quotas)];
}
