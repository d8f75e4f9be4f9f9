import { onTestFinished, vi } from "vitest";

/** Stops this process's clock until the test ends, so that no wait, rate window or day ends during it, however slow the machine is. */
export function stopClock(): void {
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
