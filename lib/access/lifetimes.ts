const defaults = {
  SESSION_IDLE: "PT30M",
  SESSION_ABSOLUTE: "PT12H",
  ACCESS_TOKEN_TTL: "PT15M",
  ANONYMOUS_TOKEN_TTL: "PT1H",
  REFRESH_IDLE: "P30D",
  REFRESH_ABSOLUTE: "P180D",
  REFRESH_GRACE: "PT10S",
} as const;

const pattern = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;

/** Seconds of an ISO 8601 duration of weeks, or of days, hours, minutes and seconds; undefined when it is none. Months and years have no one length. */
export function durationSeconds(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match || text === "P" || text.endsWith("T")) return undefined;
  const [weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number];
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** The shortest ISO 8601 duration of so many seconds: 5400 is "PT1H30M". */
export function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600) % 24, "H"],
    [Math.floor(seconds / 60) % 60, "M"],
    [seconds % 60, "S"],
  ] as const;
  const days = Math.floor(seconds / 86_400);
  const time = parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : "")).join("");
  const text = `P${days > 0 ? `${days}D` : ""}${time ? `T${time}` : ""}`;
  return text === "P" ? "PT0S" : text;
}

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
