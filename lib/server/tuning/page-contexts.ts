import { AsyncLocalStorage } from "node:async_hooks";
import { perProcess } from "@/lib/protocol/per-process";
import { isFollowingTraces } from "@/lib/protocol/tracing";

/*
 * Up to Node.js 22, an AsyncLocalStorage that was used once makes Node track every promise of the process until it is disabled, which
 * triples the cost of a promise. Next and React use theirs for each page and never disable them: one page visit would slow all later
 * requests of the interface. So they are disabled while no page is in progress; the next page enables them again.
 */

/** By then the remaining work of a page, such as a log line or a cache write, is done. */
const quietMs = 1000;

const state = perProcess("page-contexts", () => ({
  isTracked: false,
  enabled: new Set<AsyncLocalStorage<unknown>>(),
  busyAt: 0,
}));

/** Records from now on which contexts are enabled. Node.js 24 does not track promises, so nothing is recorded. */
export function trackContexts(): void {
  const enable: unknown = Reflect.get(AsyncLocalStorage.prototype, "_enable");
  if (state().isTracked || typeof enable !== "function") return;
  state().isTracked = true;
  Reflect.set(
    AsyncLocalStorage.prototype,
    "_enable",
    function noted(this: AsyncLocalStorage<unknown>) {
      state().enabled.add(this);
      Reflect.apply(enable, this, []);
    },
  );
}

/** Call periodically: disables all contexts once no page has been in progress for a second. */
export function disableIdleContexts(isPageInProgress: boolean, now: number): void {
  const { enabled, busyAt } = state();
  if (isPageInProgress || isFollowingTraces()) state().busyAt = now;
  else if (enabled.size > 0 && now - busyAt > quietMs) {
    for (const context of enabled) context.disable();
    enabled.clear();
  }
}
