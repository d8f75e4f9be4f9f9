/** An item of a roster knows its own place there; anywhere else it is -1. */
export interface Listed {
  place: number;
}

/**
 * The items that are in progress, in no order; adding and removing one are O(1).
 *
 * A Set would do, but for its memory: one that thousands pass through each second is rebuilt all the time, and each of its former
 * tables that has grown old keeps alive all that stood in it. Requests then outlive their answer, and cleaning up is what costs.
 */
export class Roster<Item extends Listed> {
  /** Grows to the most there ever were, and never shrinks: a list that grows again is copied, too. */
  readonly #items: (Item | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    item.place = this.#size;
    this.#items[item.place] = item;
    this.#size += 1;
  }

  /** Does nothing with one that is not in it. */
  delete(item: Item): void {
    if (this.#items[item.place] !== item) return;
    this.#size -= 1;
    const last = this.#items[this.#size];
    this.#items[this.#size] = undefined;
    if (last && last !== item) {
      this.#items[item.place] = last;
      last.place = item.place;
    }
    item.place = -1;
  }

  /** Those of now: who walks along may remove some. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.filter((item) => item !== undefined).values();
  }
}
