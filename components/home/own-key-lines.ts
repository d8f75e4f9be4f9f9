import { endsSoon, isLeaked } from "@/components/api-keys/hygiene";
import { number, t } from "@/components/texts/t";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { Notice } from "@/lib/features/notices/contract";

/** One line for all that is of a kind. */
export interface NoticeLine {
  kind: string;
  tone: "danger" | "warning" | "neutral";
  /** What it is; `{when}` stands for `first`. */
  text: string;
  count: number;
  /** When it began or begins; of several, the first. */
  first?: string | undefined;
  /** What can be done about it; nothing where it is only to be known. */
  action?: { label: string; href: string };
  /** What "Dismiss" removes; empty where the line goes by what is done about it. */
  notices: Notice[];
}

/** What the reader has: keys, and what others did to the account. */
export interface OwnFacts {
  keys: Pick<ApiKey, "name" | "status" | "validTo" | "rotationRequired" | "handedOver">[];
  happened: Notice[];
}

/** Stands in a text for the instant of its line, which is shown as one. */
export const when = "{when}";

/** The first of some instants. */
export const earliest = (instants: string[]) => instants.toSorted()[0];

/** The line of what there is some of; none where there is nothing. */
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

/** What the owner should do about own keys: the same on Home and next to the keys. */
export function ownKeyLines(tenant: string, keys: OwnFacts["keys"]): NoticeLine[] {
  const home = `/t/${tenant}`;
  return [
    ...leakedLine(home, keys.filter(isLeaked)),
    ...receivedLine(home, keys.filter(isReceived)),
    ...endingLine(home, keys.filter(endsSoonNow)),
  ];
}
