import type { ClientConfig, QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { AwayTenants } from "./blocked";
import { type Circuit, ticksIn } from "./circuit";
import { connect } from "./connection";
import { failed, isSpent, storeFailure } from "./failures";
import {
  createLoan,
  IdleSlots,
  type LentStatement,
  type Loan,
  type LoanOptions,
  LoanQueue,
  newSlot,
  type PoolState,
  type Slot,
  type StorePool,
  underwayOf,
} from "./loan";
import { destroyWithSession, type ServerSessions } from "./server-sessions";
import { isStuck, noteStatement, StuckStatements } from "./stuck-statements";

const serverLimits = { statementMilliseconds: 8000, lockMilliseconds: 6000 };
/** By then a reachable server has cancelled the statement. */
const deadMilliseconds = 9000;
/** Idle longer than this: ping before lending. */
const idleMilliseconds = 5000;

export interface PoolOptions {
  config: ClientConfig;
  circuit: Circuit;
  max: number;
  /** Shared by all connections to the store. */
  away: AwayTenants;
  /** Without it, the pool does not check what a long statement waits for. */
  sessions?: ServerSessions;
  /** Whether statements that wait for another node are cancelled in favour of those that wait for a connection. */
  shedsFrozen?: boolean;
  /** Statements to run first on a new connection. */
  settings?: string;
}

export function openPool(options: PoolOptions): StorePool {
  const pool = new LendingPool(options);
  options.circuit.join(pool);
  return pool;
}

class LendingPool implements StorePool {
  readonly #options: PoolOptions;
  readonly #idle = new IdleSlots();
  readonly #lent = new Set<Slot>();
  readonly #queue = new LoanQueue();
  readonly #stuck: StuckStatements;
  #opening = 0;
  #whenEmpty: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { sessions, away, shedsFrozen = false, max: maxConnections } = options;
    this.#stuck = new StuckStatements({
      ...{ sessions, away, shedsFrozen, maxConnections },
      lent: this.#lent,
      isAnybodyWaiting: () => this.#queue.size > 0,
      giveUp: (slot) => this.#giveUp(slot),
    });
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
    const rejection = this.#options.circuit.rejection();
    if (rejection) throw rejection;
    this.#options.circuit.wake();
    const idle = this.#queue.size === 0 ? this.#idle.take() : undefined;
    const slot = idle ?? (await this.#wait(options.isFirst === true));
    slot.maxTicks = ticksIn(options.patienceMilliseconds ?? deadMilliseconds);
    this.#lent.add(slot);
    const loan = createLoan(slot, {
      run: (statement) => this.#run(statement),
      takeBack: (isBroken) => this.#takeBack(slot, isBroken),
    });
    const isIdle = idle !== undefined && performance.now() - idle.usedAt > idleMilliseconds;
    const isTried = isIdle || (options.isTried === true && slot.loans > 0);
    slot.loans += 1;
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

  #wait(isFirst: boolean): Promise<Slot> {
    if (this.#whenEmpty) return Promise.reject(failed("57P03", "The store is closed."));
    const slot = this.#queue.wait(isFirst);
    this.#openForWaiting();
    return slot;
  }

  async #run({ slot, maxTicks, query, values }: LentStatement): Promise<QueryResult> {
    const underway = this.#stuck.admit(query, values);
    const before = slot.maxTicks;
    Object.assign(slot, { underway, maxTicks, pending: slot.pending + 1 });
    const startedAt = performance.now();
    try {
      const result = await slot.connection.client.query(query, values);
      this.#stuck.answered(underway);
      return result;
    } catch (error) {
      if (isSpent(error)) slot.isBroken = true;
      if (storeFailure(error) === "full") this.#options.circuit.full();
      throw this.#stuck.failed(underway, error);
    } finally {
      noteStatement(query, startedAt);
      slot.pending -= 1;
      slot.ticks = 0;
      slot.maxTicks = before;
      if (slot.underway === underway) slot.underway = underwayOf("", "");
      if (!slot.isBroken) this.#options.circuit.good();
    }
  }

  #giveUp(slot: Slot): void {
    slot.isBroken = true;
    destroyWithSession(slot.connection, this.#options.sessions);
    this.#options.circuit.distrust();
  }

  #takeBack(slot: Slot, isBroken: boolean): void {
    if (!this.#lent.delete(slot)) return;
    if (isBroken || slot.isBroken || slot.pending > 0)
      destroyWithSession(slot.connection, this.#options.sessions);
    else if (this.#whenEmpty) void slot.connection.end();
    else this.#give(slot);
    this.#openForWaiting();
    if (this.#lent.size === 0) this.#whenEmpty?.();
  }

  #give(slot: Slot): void {
    if (this.#queue.give(slot)) this.#lent.add(slot);
    else this.#idle.add(slot);
  }

  /** Stuck statements do not count, up to half of the maximum, so that a locked table does not make other requests wait. */
  #openForWaiting(): void {
    const { max } = this.#options;
    const stuck = [...this.#lent].filter(isStuck).length;
    const maxNow = max + Math.min(stuck, Math.ceil(max / 2));
    while (
      this.#queue.size > this.#opening &&
      this.#idle.size + this.#lent.size + this.#opening < maxNow
    )
      this.#open();
  }

  #open(): void {
    const { config, circuit, settings } = this.#options;
    this.#opening += 1;
    let slot: Slot | undefined;
    const onEnd = () => {
      if (slot === undefined) return;
      this.#idle.remove(slot);
      slot.isBroken = true;
    };
    connect(config, { ...serverLimits, settings }, { onEnd }).then(
      (connection) => {
        this.#opening -= 1;
        if (this.#whenEmpty || circuit.rejection()) return connection.destroy();
        slot = newSlot(connection);
        this.#give(slot);
      },
      (error: unknown) => {
        this.#opening -= 1;
        this.#queue.rejectFirst(error);
        this.#openForWaiting();
      },
    );
  }

  state(): PoolState {
    const { max } = this.#options;
    return { max, lent: this.#lent.size, idle: this.#idle.size, waiting: this.#queue.size };
  }

  tick(): boolean {
    let isWaiting = this.#queue.size > 0;
    for (const slot of this.#lent) {
      if (slot.pending === 0) continue;
      isWaiting = true;
      slot.ticks += 1;
      slot.underway.stalledTicks += 1;
      if (slot.ticks === slot.maxTicks) this.#giveUp(slot);
    }
    this.#stuck.tick();
    this.#queue.tick();
    if (this.#queue.size > 0) this.#openForWaiting();
    return isWaiting;
  }

  distrust(): void {
    this.#idle.destroyAll();
  }

  fail(error: Error): void {
    this.#queue.rejectAll(error);
    for (const slot of this.#lent) {
      slot.isBroken = true;
      slot.connection.destroy();
    }
    this.distrust();
  }

  /** Lent connections may be used until released, at most for the time that a statement may take. */
  async end(): Promise<void> {
    this.#queue.rejectAll(failed("57P03", "The store is closed."));
    const isEmpty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    if (this.#lent.size === 0) this.#whenEmpty?.();
    const tooLate = setTimeout(
      () => this.fail(failed("57P03", "The store is closed.")),
      deadMilliseconds,
    );
    await Promise.all([isEmpty, this.#idle.endAll()]);
    clearTimeout(tooLate);
  }
}
