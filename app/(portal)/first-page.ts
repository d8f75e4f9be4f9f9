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

/** What a query of the browser's cache holds after its first page. */
interface FirstPage {
  pages: [{ items: unknown; next: string | null }];
  pageParams: [""];
}

/** What a call would answer: checked and stripped by the operation's contract, in the form of JSON. */
export const answered = ({ answer }: { answer?: z.ZodType }, value: unknown): unknown =>
  JSON.parse(JSON.stringify(answer ? answer.parse(value) : value));

/** What was read; nothing where the service rejects it: then the browser's own call says why. */
export const unlessRejected = <Value>(read: Promise<Value>): Promise<Value | undefined> =>
  read.catch((error: unknown) => {
    if (isRejection(error)) return undefined;
    throw error;
  });

/** What is read of the one thing that a page is about; the page of what is not there says so by itself, and is a 404. */
export async function unlessMissing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  const value = await unlessRejected(read);
  if (value === undefined) await answerPageWith(404);
  return value;
}

/** What a call about the one thing of a page would answer; nothing where the service rejects it. */
export async function firstAnswer(
  contract: { answer?: z.ZodType },
  read: Promise<unknown>,
): Promise<unknown> {
  const value = await unlessMissing(read);
  return value === undefined ? undefined : answered(contract, value);
}

/**
 * What a call would answer, for one card of several: where reading it fails, the card asks by itself and says what failed, and the others
 * are there.
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
 * The first page of a list, by the query that is asked, as the browser's own call would get it, so that the first paint has its rows. Nothing where the address asks
 * for what cannot be: then the browser's call says why.
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
