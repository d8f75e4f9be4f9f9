import { type Page, writeCursor } from "@/lib/protocol/paging";
import type { Context } from "./context";
import { setResponseHeaders } from "./request-context";

type Linking = Pick<Context, "request" | "responseHeaders">;

/** Names in the Link header where the list goes on: the request's own path with one parameter replaced. */
export function setNextLink(context: Linking, parameter: string, value: string): void {
  const { pathname, searchParams } = new URL(context.request.url);
  searchParams.set(parameter, value);
  const link = `<${pathname}?${searchParams}>; rel="next"`;
  const { Link: others } = context.responseHeaders;
  setResponseHeaders(context, { Link: others ? `${link}, ${others}` : link });
}

/** Sends a page: its items as a bare array, the path of the next one in the Link header. */
export function sendPage<Item>(context: Linking, page: Page<Item>): Item[] {
  if (page.next) setNextLink(context, "cursor", writeCursor(page.next));
  return page.items;
}
