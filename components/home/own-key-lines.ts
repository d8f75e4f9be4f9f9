import { endsSoon, isLeaked } from "@/components/api-keys/hygiene";
import { number, t } from "@/components/texts/t";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { Notice } from "@/lib/features/notices/contract";

/** One line for all notices of a kind. */
export interface NoticeLine {
  kind: string;
  tone: "danger" | "warning" | "neutral";
  /** The text; `{when}` is replaced by `first`. */
  text: string;
  count: number;
  /** The start; of several, the first. */
  first?: string | undefined;
  /** The action to take, if there is one. */
  action?: { label: string; href: string };
  /** The notices that "Dismiss" removes; empty when only the action removes the line. */
  notices: Notice[];
}

/** The reader's keys, and notices about changes of the account. */
export interface OwnFacts {
  keys: Pick<ApiKey, "name" | "status" | "validTo" | "rotationRequired" | "handedOver">[];
  happened: Notice[];
}

/** The placeholder in a text for the instant of its line. */
export const when = "{when}";

/** The first of some instants. */
export const earliest = (instants: string[]) => instants.toSorted()[0];

/** A line when the count is above 0, else none. */
export function line(
  count: number,
  make: () => Omit<NoticeLine, "count" | "notices" | "tone"> & Partial<NoticeLine>,
): NoticeLine[] {
  return count > 0 ? [{ tone: "warning", count, notices: [], ...make() }] : [];
}

function leakedLine(home: string, keys: OwnFacts["keys"]) {
  return line(keys.length, () => ({
    kind: "own-leaked",
    tone: "danger",
    text:
      keys.length === 1
        ? t(
            'Your key "{name}" was reported as leaked and is suspended. Rotate it, then resume it.',
            { name: keys[0]?.name ?? "" },
          )
        : t(
            "{count} of your keys were reported as leaked and are suspended. Rotate them, then resume them.",
            { count: number(keys.length) },
          ),
    action: { label: t("Show your keys"), href: `${home}/me#api-keys` },
  }));
}

const isReceived = (key: OwnFacts["keys"][number]) => key.handedOver && key.status === "suspended";
const endsSoonNow = (key: OwnFacts["keys"][number]) => endsSoon(key);

function receivedLine(home: string, keys: OwnFacts["keys"]) {
  return line(keys.length, () => ({
    kind: "own-received",
    text:
      keys.length === 1
        ? t('Key "{name}" was handed over to you and is suspended. Rotate it to get its secret.', {
            name: keys[0]?.name ?? "",
          })
        : t(
            "{count} keys were handed over to you and are suspended. Rotate them to get their secrets.",
            { count: number(keys.length) },
          ),
    action: { label: t("Show your keys"), href: `${home}/me#api-keys` },
  }));
}

function endingLine(home: string, keys: OwnFacts["keys"]) {
  return line(keys.length, () => ({
    kind: "own-expiring",
    text:
      keys.length === 1
        ? t('Your key "{name}" expires {when}. Rotate it or create another one before then.', {
            name: keys[0]?.name ?? "",
            when,
          })
        : t("{count} of your keys expire within 14 days, the first {when}.", {
            count: number(keys.length),
            when,
          }),
    first: earliest(keys.map(({ validTo }) => validTo)),
    action: { label: t("Show your keys"), href: `${home}/me?show=expiring#api-keys` },
  }));
}

/** The notices about the owner's keys: the same on Home and next to the keys. */
export function ownKeyLines(tenant: string, keys: OwnFacts["keys"]): NoticeLine[] {
  const home = `/t/${tenant}`;
  return [
    ...leakedLine(home, keys.filter(isLeaked)),
    ...receivedLine(home, keys.filter(isReceived)),
    ...endingLine(home, keys.filter(endsSoonNow)),
  ];
}
