import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 20;
/** Standstills that ended longer ago are forgotten: no timeout of a request is longer. */
const rememberedMs = 120_000;

/** A timer may always be a little late. */
const minStandstillMs = 100;

interface Standstill {
  endedAt: number;
  ms: number;
}

/** How late the event loop is, and how long it stood still: time in which a client's bytes were not read, by no fault of the client. */
export interface EventLoopWatch {
  /** The mean delay since the last call, in milliseconds. */
  takeDelayMs(): number;
  /** To be called every `intervalMs`: a late call means a standstill. */
  beat(now: number): void;
  /** Milliseconds that the loop stood still between two instants, as far as they are remembered. */
  lostMs(from: number, to: number): number;
  stop(): void;
}

/** Instants are monotonic, in milliseconds. */
export function watchEventLoop(intervalMs: number): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let standstills: Standstill[] = [];
  let lastBeat = performance.now();
  return {
    takeDelayMs() {
      const meanMs = delays.mean / 1e6 - resolutionMs;
      delays.reset();
      return Number.isFinite(meanMs) ? Math.max(0, meanMs) : 0;
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
