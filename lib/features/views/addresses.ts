import { isDay, parseInstant } from "@/lib/protocol/formats";
import { isCursor } from "@/lib/protocol/parameters";
import { textProblem } from "@/lib/protocol/text";
import { isTimeZone } from "@/lib/protocol/time-zones";

/*
 * The only parser of the query of a page's URL: a link may be mistyped, truncated, or from another version.
 *
 *     any parameter                   a text without control characters, once, of at most 2,048 characters; else as if absent
 *     zone                            an unknown one is UTC
 *     from, to, within, page, ...     what cannot be read is as if absent, and so is a range that ends before it begins
 *
 * The server redirects browsers to the parsed URL, so that no page, component or saved view ever has another one.
 */

const maxValueLength = 2048;

/** Returns the value for the page; undefined to drop the parameter. */
type ReadValue = (value: string) => string | undefined;

const keptIf =
  (isRight: (value: string) => boolean): ReadValue =>
  (value) =>
    isRight(value) ? value : undefined;

const isTime = (value: string) => isDay(value) || parseInstant(value) !== undefined;
const isInterval = (value: string) => {
  const [from = "", to = "", ...more] = value.split("/");
  return more.length === 0 && isTime(from) && isTime(to) && Date.parse(from) < Date.parse(to);
};
const isCount = (value: string) => /^[1-9]\d{0,5}$/.test(value);
const isSwitch = (value: string) => value === "true" || value === "false";

/** The parsers of parameters with a format, by the name that they have on every page. */
const readers: ReadonlyMap<string, ReadValue> = new Map([
  ["zone", (value) => (isTimeZone(value) ? value : "UTC")],
  ["from", keptIf(isTime)],
  ["to", keptIf(isTime)],
  ["within", keptIf(isInterval)],
  ["page", keptIf((value) => isCount(value) || /^[a-z-]+$/.test(value))],
  ["size", keptIf(isCount)],
  ["cursor", keptIf(isCursor)],
  ["lock", keptIf(isSwitch)],
  ["compare", keptIf(isSwitch)],
  ["live", keptIf(isSwitch)],
  ["sample", keptIf(isSwitch)],
]);

/** U+FFFD marks invalid UTF-8. */
const isText = (text: string) =>
  text.length <= maxValueLength &&
  textProblem(text, "trimmed") === undefined &&
  !text.includes("\ufffd");

function readValue(name: string, value: string): string | undefined {
  if (!isText(name) || !isText(value)) return undefined;
  const read = value === "" ? undefined : readers.get(name);
  return read ? read(value) : value;
}

/** The parsed parameters of a page. */
export function readAddress(given: URLSearchParams): URLSearchParams {
  // A map: URLSearchParams scans all of them for each name, and a client may send thousands.
  const read = new Map<string, string>();
  for (const [name, text] of given) {
    const value = read.has(name) ? undefined : readValue(name, text);
    if (value !== undefined) read.set(name, value);
  }
  const [from, to] = [read.get("from"), read.get("to")];
  if (from && to && Date.parse(from) > Date.parse(to))
    for (const name of ["from", "to"]) read.delete(name);
  return new URLSearchParams([...read]);
}

/** The names of the parameters whose parsed value differs from the URL. */
export function unreadable(given: URLSearchParams): string[] {
  const read = new Map(readAddress(given));
  const values = new Map<string, string | undefined>();
  for (const [name, value] of given) values.set(name, values.has(name) ? undefined : value);
  return [...values].flatMap(([name, value]) =>
    value === undefined || value !== read.get(name) ? [name] : [],
  );
}
