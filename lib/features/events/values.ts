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

/** The type of event for each thing that a customer does. */
export const customerTypes: Readonly<Record<string, string>> = {
  registered: "customer.registered",
  imported: "customer.registered",
  "profile-changed": "customer.updated",
  "signed-in": "customer.signed-in",
  "password-changed": "customer.password-changed",
  "password-reset": "customer.password-changed",
};
