import type { ClientConfig } from "pg";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { connect } from "./connection";
import { failed } from "./failures";

/** Interval of the checks on waiting requests. Time is counted in ticks, so the time of a suspended process does not count. */
export const tickMilliseconds = 50;
export const ticksIn = (milliseconds: number): number => Math.ceil(milliseconds / tickMilliseconds);

/** Interval of the trials, whatever the outcome of the previous one. */
const trialTicks = ticksIn(250);
/** After this many trials without a response, requests fail at once instead of waiting. */
const trialsUntilOpen = 5;
/** The checks stop after this many ticks without a waiting request. */
const idleTicks = ticksIn(1000);

/** How long a write that failed for lack of space counts: a test transaction without writes cannot detect a full disk. */
const fullMilliseconds = 60_000;

/** A source of requests that wait for the store. */
interface Lane {
  /** Called every tick; returns whether a request waits. */
  tick(): boolean;
  /** Fails all waiting requests and closes every connection, because the store does not respond. */
  fail(error: Error): void;
  /** Called when a connection is found silently dead: other unused ones may be, too. */
  distrust?(): void;
}

/** Circuit breaker of the store. While the store does not respond, requests fail at once and only trials are sent. */
export interface Circuit {
  /** The error for requests while the store does not respond. */
  rejection(): Error | undefined;
  /** The store answered something. */
  good(): void;
  /** Call when the store had no space for a write. */
  full(): void;
  /** Whether it had no space within the last minute. */
  isFull(): boolean;
  /** Call when a request starts to wait. */
  wake(): void;
  /** Call when a connection is found silently dead. */
  distrust(): void;
  join(lane: Lane): void;
  close(): void;
}

const away = () => failed("08006", "The store does not answer.");

async function tryOnce(config: ClientConfig): Promise<void> {
  const { client, destroy } = await connect(config, undefined);
  const tooLate = setTimeout(destroy, 1000);
  try {
    await client.query("select 1");
  } finally {
    clearTimeout(tooLate);
    destroy();
  }
}

interface State {
  silentTicks: number;
  /** Trials since the last response. */
  trials: number;
  isOpen: boolean;
  unusedTicks: number;
}

export function openCircuit(config: ClientConfig): Circuit {
  const lanes: Lane[] = [];
  /** How long the store may be silent before a trial. */
  const patienceTicks = ticksIn(setting("STORE_TIMEOUT_MS") / 2);
  const state: State = { silentTicks: 0, trials: 0, isOpen: false, unusedTicks: 0 };
  let timer: NodeJS.Timeout | undefined;
  let fullAt = Number.NEGATIVE_INFINITY;
  const good = () => {
    if (state.isOpen) log().info("the store answers again");
    Object.assign(state, { silentTicks: 0, trials: 0, isOpen: false });
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = () => {
    let isWaiting = false;
    for (const lane of lanes) if (lane.tick()) isWaiting = true;
    state.unusedTicks = isWaiting || state.isOpen ? 0 : state.unusedTicks + 1;
    state.silentTicks = isWaiting || state.isOpen ? state.silentTicks + 1 : 0;
    if (state.unusedTicks > idleTicks) stop();
    const overdue = state.silentTicks - patienceTicks;
    if (overdue < 0 || overdue % trialTicks !== 0) return;
    tryOnce(config).then(good, () => undefined);
    state.trials += 1;
    if (state.trials <= trialsUntilOpen || state.isOpen) return;
    state.isOpen = true;
    log().warn("the store gives no answer: requests are refused until it does");
    for (const lane of lanes) lane.fail(away());
  };
  return {
    rejection: () => (state.isOpen ? away() : undefined),
    good() {
      if (state.silentTicks > 0) good();
    },
    full() {
      fullAt = performance.now();
    },
    isFull: () => performance.now() - fullAt < fullMilliseconds,
    wake() {
      timer ??= setInterval(tick, tickMilliseconds).unref();
    },
    distrust() {
      for (const lane of lanes) lane.distrust?.();
    },
    join: (lane) => void lanes.push(lane),
    close: stop,
  };
}
