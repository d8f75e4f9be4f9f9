/** Whether the runtime knows the time zone: a name of the IANA database, or an offset such as +02:00. */
export function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether it is a name of the IANA database. An offset is not: it has no daylight saving time. */
export const isNamedTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && isTimeZone(name);
