import { msg, number, t } from "@/components/texts/t";
import type { ApiKey } from "@/lib/features/api-keys/contract";

/** The rate limit and allowed addresses of a key, as form values. */
export interface UsageLimits {
  /** "" is no limit. */
  requests: string;
  window: string;
  /** Addresses and ranges, separated by commas; "" is any. */
  addresses: string;
}

export const noUsageLimits: UsageLimits = { requests: "", window: "PT1M", addresses: "" };

/** The windows that are offered; a key may have another one by the API. */
export const windows = [
  { value: "PT1S", label: msg("per second") },
  { value: "PT1M", label: msg("per minute") },
  { value: "PT1H", label: msg("per hour") },
  { value: "P1D", label: msg("per day") },
] as const;

/** The window in words; a window that is not offered in its own notation. */
export const windowText = (window: string): string => {
  const offered = windows.find(({ value }) => value === window);
  return offered ? t(offered.label) : t("in {window}", { window });
};

const addressesOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "");

/** The limits of an existing key, for editing. */
export function usageLimitsOf({ rateLimit, allowedAddresses }: ApiKey): UsageLimits {
  return {
    requests: rateLimit ? String(rateLimit.limit) : "",
    window: rateLimit?.window ?? noUsageLimits.window,
    addresses: (allowedAddresses ?? []).join(", "),
  };
}

/** The properties of a request's body; null for no limit. */
export function limitsToSend({ requests, window, addresses }: UsageLimits) {
  const ranges = addressesOf(addresses);
  return {
    rateLimit: requests.trim() === "" ? null : { limit: Number(requests), window },
    allowedAddresses: ranges.length === 0 ? null : ranges,
  };
}

/** The properties of a request for a new key: unset limits are left out. */
export const newLimitsToSend = (limits: UsageLimits) =>
  Object.fromEntries(
    Object.entries(limitsToSend(limits)).filter(([, value]) => value !== null),
  ) as WithoutNull<ReturnType<typeof limitsToSend>>;

type WithoutNull<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> };

/** Limits read from a stored draft; a missing one means no limit. */
export function keptUsageLimits(kept: Partial<Record<string, unknown>>): UsageLimits {
  const read = Object.entries(noUsageLimits).map(([name, none]) => {
    const value = kept[name];
    return [name, typeof value === "string" ? value : none];
  });
  return { ...noUsageLimits, ...Object.fromEntries(read) };
}

/** A key's limits in words; an empty list without limits. */
export const limitTexts = ({ rateLimit, allowedAddresses }: ApiKey): string[] => [
  ...(rateLimit
    ? [
        t("at most {limit} requests {window}", {
          limit: number(rateLimit.limit),
          window: windowText(rateLimit.window),
        }),
      ]
    : []),
  ...(allowedAddresses ? [t("from {addresses}", { addresses: allowedAddresses.join(", ") })] : []),
];
