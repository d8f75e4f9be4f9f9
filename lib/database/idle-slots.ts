import type { Slot } from "./loan";

/** How long a connection is unused before it is closed. */
const maxIdleMs = 60_000;

/** The connections of a pool that nobody uses at the moment. */
export class IdleSlots {
  readonly #slots: Slot[] = [];
  #timer: NodeJS.Timeout | undefined;

  get size(): number {
    return this.#slots.length;
  }

  add(slot: Slot): void {
    slot.usedAt = performance.now();
    this.#slots.push(slot);
    this.#schedule();
  }

  /** The most recently used one, so that those nobody needs grow old. */
  take(): Slot | undefined {
    return this.#slots.pop();
  }

  remove(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    if (index >= 0) this.#slots.splice(index, 1);
  }

  destroyAll(): void {
    for (const { connection } of this.#slots.splice(0)) connection.destroy();
  }

  async endAll(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#slots.splice(0).map(({ connection }) => connection.end()));
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#endOld(), maxIdleMs).unref();
  }

  #endOld(): void {
    this.#timer = undefined;
    const since = performance.now() - maxIdleMs;
    while (this.#slots[0] !== undefined && this.#slots[0].usedAt <= since)
      void this.#slots.shift()?.connection.end();
    if (this.#slots.length > 0) this.#schedule();
  }
}
