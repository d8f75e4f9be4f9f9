const pattern = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;

/** Seconds of an ISO 8601 duration of weeks, or of days, hours, minutes and seconds; undefined if invalid. Months and years vary. */
export function durationSeconds(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match || text === "P" || text.endsWith("T")) return undefined;
  const [weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number];
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** The shortest ISO 8601 duration of this many seconds: 5400 is "PT1H30M". */
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
