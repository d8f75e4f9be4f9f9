import { z } from "zod";
import { invalid } from "./errors";
import { textProblem } from "./text";

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

/** The same where no `limit` means the whole list. */
export const optionalPageQuery = {
  limit: Limit.optional(),
  cursor: z.string().max(1024).optional(),
};

/** One page of a list, and what the next page begins after. */
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
    // Whatever is wrong with a cursor, the remedy is the same.
    return undefined;
  }
}

/** Whether the text may be a cursor of some list. */
export const isCursor = (text: string): boolean => valuesOf(text) !== undefined;

/** The values a page begins after, `size` of them. Throws 400 for a cursor that this service did not make. */
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

/** Cuts a page out of a list that is at hand as a whole, newest first; `keyOf` says where an item stands and never repeats. */
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

/** The cursor of the next page as callers send it. */
export function writeCursor(next: string[]): string {
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}
