/** How requests of the log ended, as they are filtered. */
export const requestOutcomes = ["failed", "client-error", "server-error", "succeeded"] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];
