import { type Page, writeCursor } from "@/lib/protocol/paging";
import type { Context } from "./context";

/** Answers a page: its items as a bare array, the address of the next one in the Link header. */
export function sendPage<Item>(
  { request, answerHeaders }: Pick<Context, "request" | "answerHeaders">,
  page: Page<Item>,
): Item[] {
  if (page.next) {
    const { pathname, searchParams } = new URL(request.url);
    searchParams.set("cursor", writeCursor(page.next));
    const link = `<${pathname}?${searchParams}>; rel="next"`;
    answerHeaders.Link = answerHeaders.Link ? `${link}, ${answerHeaders.Link}` : link;
  }
  return page.items;
}
