/** What a failing endpoint is known by: since when, and how many attempts in a row failed. */
export interface Health {
  failingSince: Date | null;
  failures: number;
}

/** The endpoint's health after one more attempt. */
export function healthAfter(health: Health, isDelivered: boolean, now: Date): Health {
  if (isDelivered) return { failingSince: null, failures: 0 };
  return { failingSince: health.failingSince ?? now, failures: health.failures + 1 };
}
