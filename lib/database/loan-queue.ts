import { ticksIn } from "./circuit";
import { failed } from "./failures";
import type { Slot } from "./loan";

/** Fifty who write to one row do so in turn: the last of them waits this long. */
const maxWaitTicks = ticksIn(8000);
const maxQueued = 1000;

interface QueuedLoan {
  ticks: number;
  resolve: (slot: Slot) => void;
  reject: (error: unknown) => void;
}

/** Those who wait for a connection of a pool, in order. */
export class LoanQueue {
  readonly #queue: QueuedLoan[] = [];

  get size(): number {
    return this.#queue.length;
  }

  wait(isFirst: boolean): Promise<Slot> {
    if (this.#queue.length >= maxQueued)
      return Promise.reject(failed("53300", "Too many wait for the store."));
    return new Promise((resolve, reject) => {
      const queued = { ticks: 0, resolve, reject };
      if (isFirst) this.#queue.unshift(queued);
      else this.#queue.push(queued);
    });
  }

  /** Hands the connection to the first; false when nobody waits. */
  give(slot: Slot): boolean {
    const first = this.#queue.shift();
    first?.resolve(slot);
    return first !== undefined;
  }

  rejectFirst(error: unknown): void {
    this.#queue.shift()?.reject(error);
  }

  rejectAll(error: unknown): void {
    for (const queued of this.#queue.splice(0)) queued.reject(error);
  }

  /** Rejects those who have waited for too long. */
  tick(): void {
    for (const queued of this.#queue) queued.ticks += 1;
    while (this.#queue[0] !== undefined && this.#queue[0].ticks > maxWaitTicks)
      this.rejectFirst(failed("57P03", "No connection to the store became free."));
  }
}
