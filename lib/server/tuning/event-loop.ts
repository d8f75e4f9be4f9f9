import { type EventLoopUtilization, monitorEventLoopDelay, performance } from "node:perf_hooks";

const resolutionMs = 20;
/** Older standstills are dropped: no timeout of a request is longer. */
const rememberedMs = 120_000;

/** The utilization above which the loop is considered saturated. */
const busyShare = 0.8;

/** A timer may always be a little late. */
const minStandstillMs = 100;

interface Standstill {
  endedAt: number;
  ms: number;
}

/** How late the event loop is, and how long it stood still: time in which a client's bytes were not read, not a client's fault. */
export interface EventLoopWatch {
  /**
   * The mean delay since the last call, in milliseconds; 0 if the loop had time left. A process that is late without being busy waits
   * for a CPU, and fewer requests at a time would not make it faster.
   */
  takeDelayMs(): number;
  /** Must be called every `intervalMs`: a late call means a standstill. */
  beat(now: number): void;
  /** Milliseconds that the loop stood still between two instants, as far as recorded. */
  lostMs(from: number, to: number): number;
  stop(): void;
}

/** Instants are monotonic, in milliseconds. */
export function watchEventLoop(intervalMs: number): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let standstills: Standstill[] = [];
  let lastBeat = performance.now();
  let used: EventLoopUtilization = performance.eventLoopUtilization();
  return {
    takeDelayMs() {
      const meanMs = delays.mean / 1e6 - resolutionMs;
      delays.reset();
      const { utilization } = performance.eventLoopUtilization(used);
      used = performance.eventLoopUtilization();
      return Number.isFinite(meanMs) && utilization > busyShare ? Math.max(0, meanMs) : 0;
    },
    beat(now) {
      const ms = now - lastBeat - intervalMs;
      if (ms > minStandstillMs)
        standstills = [
          ...standstills.filter(({ endedAt }) => now - endedAt < rememberedMs),
          { endedAt: now, ms },
        ];
      lastBeat = now;
    },
    lostMs: (from, to) =>
      standstills.reduce(
        (sum, { endedAt, ms }) =>
          sum + Math.max(0, Math.min(to, endedAt) - Math.max(from, endedAt - ms)),
        0,
      ),
    stop: () => delays.disable(),
  };
}
