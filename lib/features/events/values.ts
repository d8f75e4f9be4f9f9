/** The kinds of subjects that events are about, declared once: the catalogue has types for each, the portal filters by them. */
export const eventKinds = [
  ...(["user", "session", "api-key", "tenant", "site", "preview", "release"] as const),
  ...([
    "customer",
    "customer-import",
    "webhook",
    "audit-stream",
    "connection",
    "alert",
    "marker",
    "view",
  ] as const),
] as const;

export type EventKind = (typeof eventKinds)[number];
