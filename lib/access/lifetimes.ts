import { setting } from "@/lib/protocol/settings";

type Lifetime =
  | "SESSION_IDLE"
  | "SESSION_ABSOLUTE"
  | "ACCESS_TOKEN_TTL"
  | "ANONYMOUS_TOKEN_TTL"
  | "REFRESH_IDLE"
  | "REFRESH_ABSOLUTE"
  | "REFRESH_GRACE";

/** Seconds that a credential lives; the environment may shorten it, the contract's value is the default. */
export const lifetimeSeconds = (name: Lifetime): number => setting(name);

export const managementBearerSeconds = 15 * 60;
export const maxApiKeyDays = 366;
