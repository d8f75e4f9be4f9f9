import { setting } from "@/lib/protocol/settings";

type Lifetime =
  | "SESSION_IDLE"
  | "SESSION_ABSOLUTE"
  | "ACCESS_TOKEN_TTL"
  | "ANONYMOUS_TOKEN_TTL"
  | "REFRESH_IDLE"
  | "REFRESH_ABSOLUTE"
  | "REFRESH_GRACE";

/** Lifetime of a credential in seconds, from the setting; a tenant's security policy may override it. */
export const lifetimeSeconds = (name: Lifetime): number => setting(name);

export const managementBearerSeconds = 15 * 60;
export const maxApiKeyDays = 366;
