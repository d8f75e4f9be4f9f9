import { onTestFinished, vi } from "vitest";

/** Until the test ends no wait, window or day of this process is over by itself, however slow the machine is and whatever time it is. */
export function stopClock(): void {
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
