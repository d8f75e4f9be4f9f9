import type { ClientConfig, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { excess, isHopeless, moveOn, tenantOf, type Underway } from "./blocked";
import { type Circuit, ticksIn } from "./circuit";
import { type Connection, connect } from "./connection";
import { failed, isSpent, isStatementTimeout } from "./failures";

const serverLimits = { statementMilliseconds: 8000, lockMilliseconds: 6000 };
/** A server that is there has given a statement up by then. */
const deadMilliseconds = 9000;
/** A statement that takes longer no longer counts: somebody else may have a connection in its place. */
const stuckTicks = ticksIn(150);
/** After so long the store is asked whether it is at a statement at all; so many times it may say no. */
const silentTicks = ticksIn(1000);
const mostMissed = 2;
/** So often the store is asked what those are waiting for. */
const lookTicks = ticksIn(100);
/** So long somebody waits for a connection: fifty who write to one row do so in turn. */
const waitTicks = ticksIn(8000);
const mostWaiting = 1000;
/** Not used for so long, a connection is tried before it is given away. */
const idleMilliseconds = 5000;
const idleEndMilliseconds = 60_000;

/** A connection that belongs to one user until it is released. */
export interface Loan {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** As above; given up, and the connection with it, after so many milliseconds. */
  within<Row extends QueryResultRow>(
    milliseconds: number,
    query: string,
  ): Promise<QueryResult<Row>>;
  /** Every loan ends with it. What is not known to be as it was found is broken. */
  release(isBroken?: boolean): void;
}

/** Connections that are lent to one user after the other. */
export interface StorePool {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
    options?: LoanOptions,
  ): Promise<QueryResult<Row>>;
  connect(options?: LoanOptions): Promise<Loan>;
  end(): Promise<void>;
}

interface LoanOptions {
  /** Statements may take longer than a request may. */
  patienceMilliseconds?: number;
  /** Comes before those who wait already. */
  isFirst?: boolean;
  /** The connection is tried before it is lent, however lately it was used. */
  isTried?: boolean;
}

interface Slot {
  connection: Connection;
  usedAt: number;
  /** Statements asked and not answered. */
  asked: number;
  /** How often it was lent. */
  times: number;
  ticks: number;
  deadTicks: number;
  isBroken: boolean;
  /** The statement that was asked last, and whether it waits for a lock. */
  underway: Underway;
}

interface Waiting {
  ticks: number;
  resolve: (slot: Slot) => void;
  reject: (error: unknown) => void;
}

/** What the store itself knows of the server processes behind our connections. */
export interface Watch {
  /** Those of them that are at a statement. */
  findActive(pids: number[]): Promise<readonly { pid: number; isBlocked: boolean }[]>;
  /** Fails the statements of those that still wait for a lock. */
  cancelWaiting(pids: number[]): Promise<unknown>;
}

export interface PoolOptions {
  config: ClientConfig;
  circuit: Circuit;
  max: number;
  watch?: Watch;
  /** Statements that a new connection begins with. */
  settings?: string;
}

const refusal = (cause?: unknown) =>
  failed("55P03", "Others wait for the same lock already.", cause);

const underwayOf = (text: string, tenant: string): Underway => ({
  text,
  tenant,
  isBlocked: false,
  standingTicks: 0,
  missed: 0,
});

export function openPool(options: PoolOptions): StorePool {
  const pool = new LendingPool(options);
  options.circuit.join(pool);
  return pool;
}

class LendingPool implements StorePool {
  readonly #options: PoolOptions;
  readonly #idle: Slot[] = [];
  readonly #lent = new Set<Slot>();
  readonly #waiting: Waiting[] = [];
  #opening = 0;
  #ticks = 0;
  #blocked = 0;
  #isLooking = false;
  #sweep: NodeJS.Timeout | undefined;
  #whenEmpty: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
    options?: LoanOptions,
  ): Promise<QueryResult<Row>> {
    const loan = await this.connect(options);
    let isBroken = true;
    try {
      const result = await loan.query<Row>(query, values);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = isSpent(error);
      throw error;
    } finally {
      loan.release(isBroken);
    }
  }

  async connect(options: LoanOptions = {}): Promise<Loan> {
    const refusal = this.#options.circuit.refusal();
    if (refusal) throw refusal;
    this.#options.circuit.wake();
    const idle = this.#usable();
    const slot = idle ?? (await this.#wait(options.isFirst === true));
    slot.deadTicks = ticksIn(options.patienceMilliseconds ?? deadMilliseconds);
    this.#lent.add(slot);
    const loan = this.#loan(slot);
    const isIdle = idle !== undefined && performance.now() - idle.usedAt > idleMilliseconds;
    const isTried = isIdle || (options.isTried === true && slot.times > 0);
    slot.times += 1;
    return isTried ? this.#tried(loan, options) : loan;
  }

  async #tried(loan: Loan, options: LoanOptions): Promise<Loan> {
    try {
      await loan.within(1000, "select 1");
      return loan;
    } catch {
      loan.release(true);
      return this.connect(options);
    }
  }

  /** The one that was used last, so that those nobody needs grow old. */
  #usable(): Slot | undefined {
    return this.#waiting.length === 0 ? this.#idle.pop() : undefined;
  }

  #wait(isFirst: boolean): Promise<Slot> {
    if (this.#whenEmpty) return Promise.reject(failed("57P03", "The store is closed."));
    if (this.#waiting.length >= mostWaiting)
      return Promise.reject(failed("53300", "Too many wait for the store."));
    return new Promise((resolve, reject) => {
      const waiting = { ticks: 0, resolve, reject };
      if (isFirst) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#openForWaiting();
    });
  }

  #loan(slot: Slot): Loan {
    const { circuit } = this.#options;
    let isOver = false;
    const ask = async <Row extends QueryResultRow>(
      deadTicks: number,
      query: string | QueryConfig,
      values?: unknown[],
    ) => {
      if (isOver) throw new Error("This connection was released.");
      const underway = this.#admit(query, values);
      slot.underway = underway;
      const before = slot.deadTicks;
      slot.deadTicks = deadTicks;
      slot.asked += 1;
      try {
        const result = await slot.connection.client.query<Row>(query, values);
        if (underway.isBlocked) moveOn(underway, this.#underway());
        return result;
      } catch (error) {
        if (isSpent(error)) slot.isBroken = true;
        throw underway.isBlocked && isStatementTimeout(error) ? refusal(error) : error;
      } finally {
        slot.asked -= 1;
        slot.ticks = 0;
        slot.deadTicks = before;
        if (slot.underway === underway) slot.underway = underwayOf("", "");
        if (!slot.isBroken) circuit.good();
      }
    };
    return {
      query: (query, values) => ask(slot.deadTicks, query, values),
      within: (milliseconds, query) => ask(ticksIn(milliseconds), query),
      release: (isBroken = false) => {
        if (isOver) return;
        isOver = true;
        this.#takeBack(slot, isBroken);
      },
    };
  }

  #underway(): Underway[] {
    return [...this.#lent].map((slot) => slot.underway);
  }

  /** Refuses what could only stand behind a lock that others like it stand behind, once so many do that few connections are left. */
  #admit(query: string | QueryConfig, values: unknown[] | undefined): Underway {
    const text = typeof query === "string" ? query : query.text;
    const given = typeof query === "string" ? values : (query.values ?? values);
    const next = underwayOf(text, tenantOf(text, given));
    const isCrowded = this.#waiting.length > 0 || this.#blocked >= this.#options.max / 2;
    if (this.#blocked === 0 || !isCrowded || !isHopeless(next, this.#underway())) return next;
    throw refusal();
  }

  /**
   * While statements are stuck, asks the store what it is at. Too many that stand behind one lock give way to others; what the store
   * is not at will never be answered, and its connection is ended.
   */
  async #look(): Promise<void> {
    const { watch } = this.#options;
    const stuck = [...this.#lent].filter(
      ({ ticks, connection }) => ticks >= stuckTicks && connection.pid !== undefined,
    );
    const isLong = stuck.some(({ ticks }) => ticks >= silentTicks);
    if (watch === undefined || this.#isLooking || (stuck.length < 2 && !isLong)) return;
    this.#isLooking = true;
    const looked = stuck.map((slot) => ({
      slot,
      underway: slot.underway,
      pid: slot.connection.pid ?? 0,
    }));
    try {
      const active = await watch.findActive(looked.map(({ pid }) => pid));
      const isBlocked = new Map(active.map((one) => [one.pid, one.isBlocked]));
      for (const { slot, underway, pid } of looked) {
        underway.isBlocked = isBlocked.get(pid) === true;
        underway.missed = isBlocked.has(pid) ? 0 : underway.missed + 1;
        const isSame = slot.underway === underway && slot.ticks >= silentTicks;
        if (isSame && underway.missed > mostMissed) this.#giveUp(slot);
      }
      const tooMany = excess(looked);
      if (this.#waiting.length > 0 && tooMany.length > 0)
        await watch.cancelWaiting(tooMany.map(({ pid }) => pid));
    } catch {
      // Then nothing is known, and nobody refused.
    }
    this.#isLooking = false;
  }

  #giveUp(slot: Slot): void {
    slot.isBroken = true;
    slot.connection.destroy();
    this.#options.circuit.distrust();
  }

  #takeBack(slot: Slot, isBroken: boolean): void {
    if (!this.#lent.delete(slot)) return;
    if (isBroken || slot.isBroken || slot.asked > 0) slot.connection.destroy();
    else if (this.#whenEmpty) void slot.connection.end();
    else this.#give(slot);
    this.#openForWaiting();
    if (this.#lent.size === 0) this.#whenEmpty?.();
  }

  #give(slot: Slot): void {
    slot.usedAt = performance.now();
    const first = this.#waiting.shift();
    if (first === undefined) {
      this.#idle.push(slot);
      this.#sweep ??= setTimeout(() => this.#endOld(), idleEndMilliseconds).unref();
    } else {
      this.#lent.add(slot);
      first.resolve(slot);
    }
  }

  #endOld(): void {
    this.#sweep = undefined;
    const since = performance.now() - idleEndMilliseconds;
    while (this.#idle[0] !== undefined && this.#idle[0].usedAt <= since)
      void this.#idle.shift()?.connection.end();
    if (this.#idle.length > 0)
      this.#sweep = setTimeout(() => this.#endOld(), idleEndMilliseconds).unref();
  }

  /** Statements that are stuck do not count, up to half as many as there may be: behind a locked table nobody else waits. */
  #openForWaiting(): void {
    const { max } = this.#options;
    const stuck = [...this.#lent].filter(({ ticks }) => ticks >= stuckTicks).length;
    const most = max + Math.min(stuck, Math.ceil(max / 2));
    while (
      this.#waiting.length > this.#opening &&
      this.#idle.length + this.#lent.size + this.#opening < most
    )
      this.#open();
  }

  #open(): void {
    const { config, circuit, settings } = this.#options;
    this.#opening += 1;
    let slot: Slot | undefined;
    const onEnd = () => {
      const place = slot === undefined ? -1 : this.#idle.indexOf(slot);
      if (place >= 0) this.#idle.splice(place, 1);
      if (slot !== undefined) slot.isBroken = true;
    };
    connect(config, { ...serverLimits, settings }, { onEnd }).then(
      (connection) => {
        this.#opening -= 1;
        if (this.#whenEmpty || circuit.refusal()) return connection.destroy();
        slot = {
          connection,
          usedAt: 0,
          asked: 0,
          times: 0,
          ticks: 0,
          deadTicks: 0,
          isBroken: false,
          underway: underwayOf("", ""),
        };
        this.#give(slot);
      },
      (error: unknown) => {
        this.#opening -= 1;
        this.#waiting.shift()?.reject(error);
        this.#openForWaiting();
      },
    );
  }

  tick(): boolean {
    let isWaiting = this.#waiting.length > 0;
    for (const slot of this.#lent) {
      if (slot.asked === 0) continue;
      isWaiting = true;
      slot.ticks += 1;
      slot.underway.standingTicks += 1;
      if (slot.ticks === slot.deadTicks) this.#giveUp(slot);
    }
    this.#blocked = this.#underway().filter(({ isBlocked }) => isBlocked).length;
    this.#ticks += 1;
    if (this.#ticks % lookTicks === 0) void this.#look();
    for (const one of this.#waiting) one.ticks += 1;
    while (this.#waiting[0] !== undefined && this.#waiting[0].ticks > waitTicks) {
      this.#waiting.shift()?.reject(failed("57P03", "No connection to the store became free."));
    }
    if (this.#waiting.length > 0) this.#openForWaiting();
    return isWaiting;
  }

  distrust(): void {
    for (const { connection } of this.#idle.splice(0)) connection.destroy();
  }

  fail(error: Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    for (const slot of this.#lent) {
      slot.isBroken = true;
      slot.connection.destroy();
    }
    this.distrust();
  }

  /** Whoever still has a connection may finish, within the time that a statement may take. */
  async end(): Promise<void> {
    clearTimeout(this.#sweep);
    for (const waiting of this.#waiting.splice(0))
      waiting.reject(failed("57P03", "The store is closed."));
    const isEmpty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    if (this.#lent.size === 0) this.#whenEmpty?.();
    const tooLate = setTimeout(
      () => this.fail(failed("57P03", "The store is closed.")),
      deadMilliseconds,
    );
    await Promise.all([isEmpty, ...this.#idle.splice(0).map(({ connection }) => connection.end())]);
    clearTimeout(tooLate);
  }
}
