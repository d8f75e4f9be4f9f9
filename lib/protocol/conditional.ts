import { hash } from "node:crypto";
import { ApiError } from "./errors";

type HeaderReader = Pick<Headers, "get">;

/** Values to compare preconditions with. `etag` is strong and quoted, as in the response; "" where there is none. */
export interface Validators {
  etag: string;
  modifiedAt?: Date;
}

/** The conditions of one request (RFC 9110, section 13). "*" matches any state. */
export interface Preconditions {
  ifMatch: "*" | string[] | undefined;
  ifNoneMatch: "*" | string[] | undefined;
  ifUnmodifiedSince: Date | undefined;
  ifModifiedSince: Date | undefined;
}

/** The strong entity tag of a representation: a hash of its bytes. */
export function etagOf(bytes: Uint8Array | string): string {
  return `"${hash("sha256", bytes, "base64url")}"`;
}

const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const tagList = new RegExp(`^[\\s,]*${entityTag}(?:[ \\t]*,[\\s,]*${entityTag})*[\\s,]*$`);
const oneTag = new RegExp(entityTag, "g");

function tags(headers: HeaderReader, name: string): "*" | string[] | undefined {
  const given = headers.get(name)?.trim();
  if (given === undefined) return undefined;
  if (given === "*") return given;
  if (!tagList.test(given)) {
    throw new ApiError(
      "precondition.invalid",
      `${name} must be * or entity tags in double quotes, as ETag gives them.`,
      name,
    );
  }
  return given.match(oneTag) ?? [];
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const httpDate = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[\d ]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** A two-digit year more than 50 years in the future means the past one. */
function fullYear(year: string, now: Date): number {
  if (year.length === 4) return Number(year);
  const inThisCentury = Math.floor(now.getUTCFullYear() / 100) * 100 + Number(year);
  return inThisCentury > now.getUTCFullYear() + 50 ? inThisCentury - 100 : inThisCentury;
}

/** Parses a date in the three formats of RFC 9110, 5.6.7. A header with an invalid date is ignored, as 13.1.3 and 13.1.4 require. */
function date(headers: HeaderReader, name: string): Date | undefined {
  const given = headers.get(name)?.trim() ?? "";
  const groups = httpDate.map((form) => form.exec(given)?.groups).find(Boolean);
  const month = months.indexOf(groups?.month ?? "");
  if (!groups || month < 0) return undefined;
  const { day = "", time = "", year = "" } = groups;
  const padded = `${fullYear(year, new Date())}-${String(month + 1).padStart(2, "0")}-${day.trim().padStart(2, "0")}`;
  const found = new Date(`${padded}T${time}Z`);
  return Number.isNaN(found.getTime()) || !found.toISOString().startsWith(padded)
    ? undefined
    : found;
}

/** The preconditions of a request. Throws 400 for invalid tags; invalid dates are ignored. */
export function readPreconditions(headers: HeaderReader): Preconditions {
  return {
    ifMatch: tags(headers, "If-Match"),
    ifNoneMatch: tags(headers, "If-None-Match"),
    ifUnmodifiedSince: date(headers, "If-Unmodified-Since"),
    ifModifiedSince: date(headers, "If-Modified-Since"),
  };
}

/** Whether a write is only valid for the state that it was based on: "*" matches any. */
export function dependsOnState({
  ifMatch,
  ifNoneMatch,
  ifUnmodifiedSince,
}: Preconditions): boolean {
  return Array.isArray(ifMatch) || Array.isArray(ifNoneMatch) || ifUnmodifiedSince !== undefined;
}

/** Whether the request has any precondition. */
export const isConditional = (preconditions: Preconditions): boolean =>
  Object.values(preconditions).some((one) => one !== undefined);

const opaque = (tag: string) => tag.replace(/^W\//, "");
const matchesStrongly = (condition: "*" | string[], etag: string) =>
  condition === "*" || condition.includes(etag);
const matchesWeakly = (condition: "*" | string[], etag: string) =>
  condition === "*" || condition.map(opaque).includes(etag);

/** HTTP dates have no milliseconds: changes are visible with a precision of a second. */
const isLater = (modifiedAt: Date | undefined, since: Date) =>
  modifiedAt !== undefined && Math.floor(modifiedAt.getTime() / 1000) * 1000 > since.getTime();

const changed =
  "The resource changed since you read it. Read it again, merge, and send the new ETag.";
/** The resource has not changed: this service creates only strong ETags, so a proxy has weakened this one. */
const weakened =
  "A proxy compressed the answer and made its ETag weak; send it without W/ or read it uncompressed.";
const ruledOut = "The resource is in a state that If-None-Match rules out.";

const failed = (header: string, detail: string, { etag }: Validators) =>
  new ApiError("precondition.failed", detail, header, {
    headers: etag === "" ? {} : { ETag: etag },
  });

function checkUnchanged({ ifMatch, ifUnmodifiedSince }: Preconditions, current: Validators): void {
  if (ifMatch !== undefined) {
    if (matchesStrongly(ifMatch, current.etag)) return;
    const isWeakened = matchesWeakly(ifMatch, current.etag);
    throw failed("If-Match", isWeakened ? weakened : changed, current);
  }
  if (ifUnmodifiedSince && isLater(current.modifiedAt, ifUnmodifiedSince))
    throw failed("If-Unmodified-Since", changed, current);
}

/** For writes to a resource that exists. Throws 412, with the current ETag. */
export function checkPreconditions(preconditions: Preconditions, current: Validators): void {
  checkUnchanged(preconditions, current);
  const { ifNoneMatch } = preconditions;
  if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, current.etag))
    throw failed("If-None-Match", ruledOut, current);
}

/** For reads: whether the caller already has this state (304). Throws 412. */
export function isNotModified(preconditions: Preconditions, current: Validators): boolean {
  checkUnchanged(preconditions, current);
  const { ifNoneMatch, ifModifiedSince } = preconditions;
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, current.etag);
  return (
    ifModifiedSince !== undefined &&
    current.modifiedAt !== undefined &&
    !isLater(current.modifiedAt, ifModifiedSince)
  );
}
