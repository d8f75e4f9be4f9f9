import { z } from "zod";
import type { Endpoint } from "./endpoint";
import { ApiError, invalid, type Problem } from "./errors";
import { isSlug } from "./formats";
import { textProblem } from "./text";
import { checkQuery } from "./validation";

const defaultLimit = 50;
const largestLimit = 200;

const Limit = z
  .string()
  .regex(/^\d{1,4}$/, { message: `must be a number from 1 to ${largestLimit}` })
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= largestLimit, {
    message: `must be a number from 1 to ${largestLimit}`,
  })
  .meta({
    type: "integer",
    minimum: 1,
    maximum: largestLimit,
    description: "How many items the page has at most",
  });

/** `limit` and `cursor` of every list, newest first. */
export const pageQuery = {
  limit: Limit.default(defaultLimit),
  cursor: z.string().max(1024).optional(),
};

/** The same where a missing `limit` means the whole list. */
export const optionalPageQuery = {
  limit: Limit.optional(),
  cursor: z.string().max(1024).optional(),
};

/** One page of a list, and the position after which the next page starts. */
export interface Page<Item> {
  items: Item[];
  next: string[] | undefined;
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && textProblem(value, "secret") === undefined;

function valuesOf(cursor: string): string[] | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(values) && values.every(isText) ? values : undefined;
  } catch {
    // Whatever the problem of a cursor, the remedy is the same.
    return undefined;
  }
}

/** Whether the text can be a cursor of a list. */
export const isCursor = (text: string): boolean => valuesOf(text) !== undefined;

/** The `size` values after which a page starts. Throws 400 for a cursor that this service did not create. */
export function readCursor(
  cursor: string | undefined,
  size: number,
  matches: (value: string, index: number) => boolean = () => true,
): string[] | undefined {
  if (cursor === undefined) return undefined;
  const values = valuesOf(cursor);
  if (values?.length === size && values.every(matches)) return values;
  throw invalid([
    { pointer: "?cursor", detail: "?cursor must come from the Link header of the page before." },
  ]);
}

/** Cuts a page out of `limit + 1` rows. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string[],
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(last) : undefined };
}

/** Cuts a page out of a complete list, newest first; `keyOf` returns an item's position and is unique. */
export function pageOf<Item>(
  items: Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  keyOf: (item: Item) => string,
): Page<Item> {
  const after = readCursor(cursor, 1)?.[0];
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return cutPage(
    after === undefined ? sorted : sorted.filter((item) => keyOf(item) < after),
    limit,
    (item) => [keyOf(item)],
  );
}

/** The cursor of the next page, encoded for clients. */
export function writeCursor(next: string[]): string {
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}

type HeaderReader = Pick<Headers, "get">;

function slugHeader(headers: HeaderReader, name: string, needed: boolean): string | undefined {
  const value = headers.get(name)?.trim();
  if (!value) {
    if (needed) throw new ApiError("request.header-missing", `Send the header ${name}.`, name);
    return undefined;
  }
  if (!isSlug(value))
    throw new ApiError(
      "request.header-invalid",
      `${name} must be 1 to 63 lower-case letters, digits and single hyphens.`,
      name,
    );
  return value;
}

/** The tenant and site headers: checked before everything else. Throws 400. */
export function readFrame(headers: HeaderReader, { scope }: Pick<Endpoint, "scope">) {
  const tenantId = slugHeader(headers, "X-Service-Tenant", scope !== "none") ?? "";
  const siteId = slugHeader(headers, "X-Service-Site", scope === "site") ?? "";
  return { tenantId, siteId };
}

/**
 * The values of `{name}` in a path template, percent-decoded. The path is known to match the template. Adds violations of the rule of
 * text to the problems, by `{name}`.
 */
export function readPathParameters(
  template: string,
  pathname: string,
  problems: Problem[],
): Record<string, string> {
  const values: Record<string, string> = {};
  if (!template.includes("{")) return values;
  const given = pathname.split("/");
  for (const [index, part] of template.split("/").entries()) {
    if (!part.startsWith("{")) continue;
    const value = decode(given[index] ?? "");
    values[part.slice(1, -1)] = value;
    const held = textProblem(value, "line");
    if (held !== undefined)
      problems.push({ pointer: part, detail: `${part} in the path must not contain ${held}.` });
  }
  return values;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError("request.malformed", "Invalid percent-encoding in the path.");
  }
}

/** A repeated parameter becomes an array. `__proto__` is an ordinary parameter. */
function readSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search);
  // Invalid UTF-8 was replaced by this character.
  if (parameters.toString().includes("%EF%BF%BD") && !/%EF%BF%BD/i.test(search))
    throw new ApiError("request.malformed", "The query is not correctly percent-encoded UTF-8.");
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** The query as an object. */
export function readQuery(
  schema: z.ZodType | undefined,
  search: string,
  problems: Problem[],
): unknown {
  if (search === "" && !schema) return undefined;
  const given = readSearch(search);
  const checked = checkQuery(schema ?? z.strictObject({}), given);
  if (!checked.problems) return schema ? checked.value : undefined;
  problems.push(...checked.problems);
  return undefined;
}

export function rejectIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw invalid(problems);
}
