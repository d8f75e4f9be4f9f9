import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Underway } from "./blocked";
import { ticksIn } from "./circuit";
import type { Connection } from "./connection";

/** A connection that belongs to one user until it is released. */
export interface Loan {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** As above; fails, and the connection with it, after this many milliseconds. */
  within<Row extends QueryResultRow>(
    milliseconds: number,
    query: string,
  ): Promise<QueryResult<Row>>;
  /** Every loan ends with it. A connection whose state is unknown is broken. */
  release(isBroken?: boolean): void;
}

export interface LoanOptions {
  /** Statements may take longer than a request may. */
  patienceMilliseconds?: number;
  /** Comes before those who wait already. */
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

/** Connections that are lent to one user after the other. */
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
  /** Statements sent and not answered. */
  pending: number;
  /** How often it was lent. */
  loans: number;
  /** Since it last answered, while a statement is pending. */
  ticks: number;
  /** After this many the connection is dead. */
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

/** A statement of a loan, and when its connection counts as dead. */
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
