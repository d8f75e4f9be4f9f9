import type { Page } from "./pages.js";
import { pause } from "./retries.js";

export interface FollowOptions {
  /** The id of the last event seen. */
  after?: string | undefined;
  /** Only events of a type, or of all types with a prefix: "user.*". */
  type?: string | undefined;
  /** Only events about a site. */
  site?: string | undefined;
  /** Milliseconds between two polls when there is nothing new. */
  intervalMs?: number | undefined;
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
}

/** Yields the items of a feed as they arrive. Ends when the signal is aborted. */
export async function* follow<Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
  { after, intervalMs = 1000, signal }: FollowOptions,
): AsyncGenerator<Item, void> {
  try {
    for (let position = after; ; ) {
      const { items, next } = await read(position);
      yield* items;
      position = next ?? position;
      if (items.length === 0) await pause(intervalMs, signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
