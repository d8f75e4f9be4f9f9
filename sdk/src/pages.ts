/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; undefined after the last one. */
  next: string | undefined;
}

/** A list that is read page by page while it is iterated: `for await (const user of gatehouse.users.list())`. */
export interface PageIterator<Item> extends AsyncIterable<Item> {
  /** Iterates over pages instead of items. */
  pages(): AsyncIterable<Page<Item>>;
  /** Reads one page: the first, or the one of `cursor`. */
  page(): Promise<Page<Item>>;
  /** Reads the list to its end, at most this many items. */
  toArray(max: number): Promise<Item[]>;
}

/** A parameter of the next address in the Link header. */
export function nextOf(headers: Headers, parameter: string): string | undefined {
  const target = headers.get("link")?.match(/<([^>]*)>;\s*rel="next"/)?.[1];
  if (target === undefined) return undefined;
  return new URL(target, "http://any").searchParams.get(parameter) ?? undefined;
}

/** Iterates over the pages that `read` returns, starting without a cursor. */
export function iteratePages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): PageIterator<Item> {
  async function* pages() {
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      yield page;
      cursor = page.next;
    } while (cursor !== undefined);
  }
  async function* items() {
    for await (const page of pages()) yield* page.items;
  }
  return {
    [Symbol.asyncIterator]: items,
    pages,
    page: () => read(undefined),
    async toArray(max) {
      const all: Item[] = [];
      for await (const item of items()) {
        if (all.length >= max) break;
        all.push(item);
      }
      return all;
    },
  };
}
