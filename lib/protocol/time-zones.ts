/** Whether the runtime knows the time zone: a name of the IANA database, or an offset such as +02:00. */
export function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}
