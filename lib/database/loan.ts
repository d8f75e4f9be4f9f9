import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Underway } from "./blocked";
import { ticksIn } from "./circuit";
import type { Connection } from "./connection";
import { failed } from "./failures";

/** A connection that belongs to one user until it is released. */
export interface Loan {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** As above; after this many milliseconds it fails and breaks the connection. */
  within<Row extends QueryResultRow>(
    milliseconds: number,
    query: string,
  ): Promise<QueryResult<Row>>;
  /** Must be called once at the end of every loan, with `isBroken` if the connection's state is unknown. */
  release(isBroken?: boolean): void;
}

export interface LoanOptions {
  /** Timeout of statements that may take longer than a request. */
  patienceMilliseconds?: number;
  /** Puts the caller at the front of the queue. */
  isFirst?: boolean;
  /** Tests the connection before it is lent, however recently it was used. */
  isTried?: boolean;
}

export interface PoolState {
  max: number;
  lent: number;
  idle: number;
  waiting: number;
}

/** A pool of connections, each lent to one user at a time. */
export interface StorePool {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
    options?: LoanOptions,
  ): Promise<QueryResult<Row>>;
  connect(options?: LoanOptions): Promise<Loan>;
  /** For measurements. */
  state(): PoolState;
  end(): Promise<void>;
}

/** One connection of a pool. */
export interface Slot {
  connection: Connection;
  openedAt: number;
  usedAt: number;
  /** Statements sent without a response yet. */
  pending: number;
  /** How often it was lent. */
  loans: number;
  /** Ticks since its last response, while a statement is pending. */
  ticks: number;
  /** After this many ticks the connection is considered dead. */
  maxTicks: number;
  isBroken: boolean;
  /** The latest statement, and whether it waits for a lock. */
  underway: Underway;
}

export const underwayOf = (text: string, tenant: string): Underway => ({
  text,
  tenant,
  isBlocked: false,
  isTrial: false,
  stalledTicks: 0,
  missed: 0,
});

export const newSlot = (connection: Connection): Slot => ({
  connection,
  openedAt: performance.now(),
  usedAt: 0,
  pending: 0,
  loans: 0,
  ticks: 0,
  maxTicks: 0,
  isBroken: false,
  underway: underwayOf("", ""),
});

/** A statement of a loan, and the ticks after which its connection is considered dead. */
export interface LentStatement {
  slot: Slot;
  maxTicks: number;
  query: string | QueryConfig;
  values: unknown[] | undefined;
}

interface Lending {
  run: (statement: LentStatement) => Promise<QueryResult>;
  takeBack: (isBroken: boolean) => void;
}

export function createLoan(slot: Slot, { run, takeBack }: Lending): Loan {
  let isReleased = false;
  const execute = async (maxTicks: number, query: string | QueryConfig, values?: unknown[]) => {
    if (isReleased) throw new Error("This connection was released.");
    return run({ slot, maxTicks, query, values });
  };
  return {
    query: (query, values) => execute(slot.maxTicks, query, values),
    within: (milliseconds, query) => execute(ticksIn(milliseconds), query),
    release(isBroken = false) {
      if (isReleased) return;
      isReleased = true;
      takeBack(isBroken);
    },
  };
}

/** Fifty concurrent writers to one row write in turn: the last of them waits this long. */
const maxWaitTicks = ticksIn(8000);
const maxQueued = 1000;

interface QueuedLoan {
  ticks: number;
  resolve: (slot: Slot) => void;
  reject: (error: unknown) => void;
}

/** The queue of requests that wait for a connection of a pool. */
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

  /** Passes the connection to the first in the queue; false if the queue is empty. */
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

  /** Rejects requests that have waited too long. */
  tick(): void {
    for (const queued of this.#queue) queued.ticks += 1;
    while (this.#queue[0] !== undefined && this.#queue[0].ticks > maxWaitTicks)
      this.rejectFirst(failed("57P03", "No connection to the store became free."));
  }
}

/** Idle time after which a connection is closed. */
const maxIdleMs = 60_000;

/** The idle connections of a pool. */
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

  /** Takes the most recently used one, so that surplus ones expire. */
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
