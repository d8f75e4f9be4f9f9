import { durationSeconds } from "@/lib/protocol/durations";

const defaults = {
  SESSION_IDLE: "PT30M",
  SESSION_ABSOLUTE: "PT12H",
  ACCESS_TOKEN_TTL: "PT15M",
  ANONYMOUS_TOKEN_TTL: "PT1H",
  REFRESH_IDLE: "P30D",
  REFRESH_ABSOLUTE: "P180D",
  REFRESH_GRACE: "PT10S",
} as const;

/** Seconds that a credential lives; the environment may shorten it, the contract's value is the default. */
export function lifetimeSeconds(name: keyof typeof defaults): number {
  const text = process.env[name] ?? defaults[name];
  const seconds = durationSeconds(text);
  if (seconds === undefined)
    throw new Error(
      `${name} must be an ISO 8601 duration such as ${defaults[name]}, not "${text}".`,
    );
  return seconds;
}

export const managementBearerSeconds = 15 * 60;
export const longestApiKeyDays = 366;
