import { AsyncLocalStorage } from "node:async_hooks";
import { perProcess } from "@/lib/protocol/per-process";
import { isFollowingTraces } from "@/lib/protocol/tracing";

/*
 * Up to Node.js 22 an AsyncLocalStorage that was used once has every promise of the process watched until it is disabled, which makes a
 * promise cost three times as much. Next and React use theirs for each page and never disable them: one visit of a page would slow all
 * requests of the interface for good. So they are disabled while no page is in progress; the next page enables them again.
 */

/** What a page leaves behind, as a log line or a note of the cache, is done by then. */
const quietMs = 1000;

const state = perProcess("page-contexts", () => ({
  isTracked: false,
  enabled: new Set<AsyncLocalStorage<unknown>>(),
  busyAt: 0,
}));

/** Notes from now on which contexts are enabled. Node.js 24 watches no promises, and has nothing to note. */
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

/** To be called every now and then: disables all contexts once no page has been in progress for a second. */
export function disableIdleContexts(isPageInProgress: boolean, now: number): void {
  const { enabled, busyAt } = state();
  if (isPageInProgress || isFollowingTraces()) state().busyAt = now;
  else if (enabled.size > 0 && now - busyAt > quietMs) {
    for (const context of enabled) context.disable();
    enabled.clear();
  }
}
