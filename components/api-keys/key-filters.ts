import { type Message, msg } from "@/components/texts/t";
import type { Input } from "@/lib/catalogue/client";

export type KeyQuery = NonNullable<Input<"GET /v1/user/api-keys">["query"]>;

/** The hygiene filters of the keys page: each is a query of the service. */
export const keyFilters = {
  all: { label: msg("All keys"), query: {} },
  active: { label: msg("Active"), query: { status: "active" } },
  expiring: { label: msg("Expiring in 14 days"), query: { expiresWithin: "P14D" } },
  idle: { label: msg("Idle 90 days"), query: { status: "active", unusedFor: "P90D" } },
  never: { label: msg("Never used"), query: { status: "active", neverUsed: "true" } },
  locked: { label: msg("Owner locked"), query: { status: "active", ownerLock: "true" } },
  suspended: { label: msg("Suspended"), query: { status: "suspended" } },
  past: { label: msg("Expired"), query: { status: "expired" } },
} as const satisfies Record<string, { label: Message; query: KeyQuery }>;

export type KeyFilter = keyof typeof keyFilters;

const isKeyFilter = (text: string): text is KeyFilter => Object.hasOwn(keyFilters, text);

/** The filter of a list of keys. */
export const asKeyQuery = (filter: KeyFilter, owner?: string) => ({
  ...keyFilters[filter].query,
  ...(owner && { owner }),
});

/** The filter of an address. */
export const readKeyFilter = (text = ""): KeyFilter => (isKeyFilter(text) ? text : "all");

/** The query of the first page: with the calls of each key by day. */
export const firstKeys = (filter: KeyFilter, owner?: string) => ({
  ...asKeyQuery(filter, owner),
  fields: "+callsByDay",
  limit: "50",
});
