import type { ClientConfig } from "pg";
import { log } from "@/lib/protocol/log";
import { connect } from "./connection";
import { failed } from "./failures";

/** How often those who wait are looked at. Time is counted in ticks: a process that stood still has not waited. */
export const tickMilliseconds = 50;
export const ticksIn = (milliseconds: number): number => Math.ceil(milliseconds / tickMilliseconds);

/** How long the store may answer nothing at all before it is tried. */
const patienceTicks = ticksIn(1000);
/** A new trial begins so often, whatever became of the one before. */
const trialTicks = ticksIn(250);
/** After this many trials without an answer requests fail at once instead of waiting. */
const trialsUntilOpen = 5;
/** Ticks without anybody waiting after which nobody looks any more. */
const idleTicks = ticksIn(1000);

/** A write that found no room says something about the next ones: a transaction that writes nothing meets no full disk. */
const fullMilliseconds = 60_000;

/** A source of requests that wait for the store. */
interface Lane {
  /** Called every tick; answers whether somebody waits. */
  tick(): boolean;
  /** Fails all waiting requests and closes every connection: the store does not answer. */
  fail(error: Error): void;
  /** A connection was found dead without a word: others that are not in use may be, too. */
  distrust?(): void;
}

/** Knows whether the store answers at all. While it does not, each request costs nothing and one trial after the other is made. */
export interface Circuit {
  /** What a request is rejected with while the store gives no answer. */
  rejection(): Error | undefined;
  /** The store answered something. */
  good(): void;
  /** The store had no room for a write. */
  full(): void;
  /** Whether it had none within the last minute. */
  isFull(): boolean;
  /** Somebody waits from now on. */
  wake(): void;
  /** A connection was found dead without a word. */
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
  /** Trials since the last answer. */
  trials: number;
  isOpen: boolean;
  unusedTicks: number;
}

export function openCircuit(config: ClientConfig): Circuit {
  const lanes: Lane[] = [];
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
