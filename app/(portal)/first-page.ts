import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { answerPageWith } from "@/lib/features/portal/portal";
import { isRejection } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { type Page, writeCursor } from "@/lib/protocol/parameters";

interface ListContract<Query extends z.ZodType> {
  query?: Query;
  answer?: z.ZodType;
}

/** The shape of an infinite query in the browser's cache after its first page. */
interface FirstPage {
  pages: [{ items: unknown; next: string | null }];
  pageParams: [""];
}

/** The response body of a call: checked and stripped by the operation's contract, as JSON values. */
export const answered = ({ answer }: { answer?: z.ZodType }, value: unknown): unknown =>
  JSON.parse(JSON.stringify(answer ? answer.parse(value) : value));

/** The value that was read, or undefined where the service rejects the read: then the browser's own call reports the error. */
export const unlessRejected = <Value>(read: Promise<Value>): Promise<Value | undefined> =>
  read.catch((error: unknown) => {
    if (isRejection(error)) return undefined;
    throw error;
  });

/** The resource that a page is about. Where it does not exist, the page renders its own message and responds with 404. */
export async function unlessMissing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  const value = await unlessRejected(read);
  if (value === undefined) await answerPageWith(404);
  return value;
}

/** The response body of a call about a page's resource; undefined where the service rejects it. */
export async function firstAnswer(
  contract: { answer?: z.ZodType },
  read: Promise<unknown>,
): Promise<unknown> {
  const value = await unlessMissing(read);
  return value === undefined ? undefined : answered(contract, value);
}

/**
 * The response body of a call, for one card of several. If reading it fails, that card sends the request again from the browser and shows
 * the error; the other cards have their data.
 */
export async function cardAnswer(
  contract: { answer?: z.ZodType },
  read: Promise<unknown>,
): Promise<unknown> {
  try {
    return answered(contract, await read);
  } catch (error) {
    if (!isRejection(error)) log().warn({ err: error }, "a card of a page could not be read");
    return undefined;
  }
}

/**
 * The first page of a list for the given query, as the browser's own call would get it, so that the first paint has its rows. Undefined
 * where the address has invalid parameters: then the browser's call reports the error.
 */
export async function firstPage<Query extends z.ZodType, Item>(
  caller: Caller,
  contract: ListContract<Query>,
  list: (caller: Caller, query: z.output<Query>) => Promise<Page<Item>>,
  asked: Record<string, string> | undefined,
): Promise<FirstPage | undefined> {
  const query = asked && contract.query?.safeParse(asked);
  if (!query?.success) return undefined;
  const page = await unlessRejected(list(caller, query.data));
  if (!page) return undefined;
  const next = page.next ? writeCursor(page.next) : null;
  return { pages: [{ items: answered(contract, page.items), next }], pageParams: [""] };
}
