import { type ClientConfig, Query } from "pg";
import { currentTrace } from "@/lib/protocol/tracing";
import { type AwayTenants, tenantOf } from "./blocked";
import { type Circuit, ticksIn } from "./circuit";
import { type Connection, connect } from "./connection";
import { failed, isSpent, isUnprepared } from "./failures";
import { type Asked, newPipe, type Pipe, type Pipes, type Rows } from "./pipe";
import { noteStatement } from "./stuck-statements";

/** How many statements wait on one connection before the next is used: with several queued, the server sleeps and wakes less. */
const deep = 32;
/** When a statement takes longer, those queued behind it are sent again on another connection. */
const stalledTicks = ticksIn(150);
/** After so many stalled connections, a statement is sent on a separate one. */
const maxTimes = 4;
/** The server's timeouts on these connections: ten times what any of their statements should take. */
const serverLimits = { statementMilliseconds: 3500, lockMilliseconds: 2000 };
/** By then a reachable server has cancelled the statement. */
const deadTicks = ticksIn(4500);

interface Options {
  config: ClientConfig;
  circuit: Circuit;
  /** Number of connections in use, and of additional ones while some of those are stalled. */
  count: number;
  away: AwayTenants;
  /** Runs a statement on a separate connection: one that recently stalled others, or whose tenant's node is unreachable. */
  aside: (name: string, text: string, values: unknown[]) => Promise<Rows>;
}

/** Opens connections as they are needed and drops broken ones, so that the next statement opens another. */
export function openPipes(options: Options): Pipes {
  const lane = new PipedLane(options);
  options.circuit.join(lane);
  return lane;
}

class PipedLane implements Pipes {
  readonly #options: Options;
  readonly #pipes = new Set<Pipe>();
  /** Queued statements that are not sent yet. An identical statement shares the result, which is never older than its call. */
  readonly #unsent = new Map<string, Promise<Rows>>();
  /** Names of statements that stalled a connection: they are sent separately until they are fast again. */
  readonly #slow = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  query<Row>(name: string, text: string, values: unknown[]): Promise<readonly Row[]> {
    const key = `${name} ${JSON.stringify(values)}`;
    const rows = this.#unsent.get(key) ?? this.#ask(key, name, text, values);
    return rows as Promise<readonly Row[]>;
  }

  #ask(key: string, name: string, text: string, values: unknown[]): Promise<Rows> {
    const { circuit } = this.#options;
    const rejection = circuit.rejection();
    if (rejection !== undefined) return Promise.reject(rejection);
    circuit.wake();
    const isAside = this.#slow.has(name) || this.#options.away.has(tenantOf(text, values));
    const pipe = isAside ? undefined : this.#choose();
    if (pipe === undefined) return this.#askAside(name, text, values);
    const rows = new Promise<Rows>((resolve, reject) => {
      this.#put(pipe, {
        name,
        text,
        values,
        askedAt: performance.now(),
        trace: currentTrace(),
        copies: 0,
        times: 0,
        resolve,
        reject,
      });
    });
    this.#unsent.set(key, rows);
    return rows;
  }

  async #askAside(name: string, text: string, values: unknown[]): Promise<Rows> {
    const startedAt = performance.now();
    const rows = await this.#options.aside(name, text, values);
    if (performance.now() - startedAt < 100) this.#slow.delete(name);
    return rows;
  }

  /** The first connection that is not full, or a new one, or the one with the fewest statements; undefined if all are stalled. */
  #choose(): Pipe | undefined {
    const { count } = this.#options;
    let emptiest: Pipe | undefined;
    let usable = 0;
    for (const pipe of this.#pipes) {
      if (pipe.headTicks >= stalledTicks) continue;
      if (pipe.queue.length < deep) return pipe;
      usable += 1;
      if (emptiest === undefined || pipe.queue.length < emptiest.queue.length) emptiest = pipe;
    }
    return usable < count && this.#pipes.size < 2 * count ? this.#open() : emptiest;
  }

  #open(): Pipe {
    const { config } = this.#options;
    const onEnd = () => void this.#pipes.delete(pipe);
    const pipe = newPipe();
    const giveUp = (error: unknown, opened?: Connection) => {
      opened?.destroy();
      this.#pipes.delete(pipe);
      for (const asked of pipe.queue.splice(0)) this.#fail(asked, error);
    };
    pipe.opening = connect(config, serverLimits, { isPipelined: true, onEnd }).then(
      (opened) => {
        // It ended as soon as it was opened, or all connections have been closed since then.
        if (!this.#pipes.has(pipe)) return giveUp(failed("08006", "Connection terminated"), opened);
        pipe.opened = opened;
        for (const asked of pipe.queue) this.#send(pipe, opened, asked);
      },
      (error: unknown) => giveUp(error),
    );
    this.#pipes.add(pipe);
    return pipe;
  }

  #put(pipe: Pipe, asked: Asked): void {
    asked.copies += 1;
    asked.times += 1;
    pipe.queue.push(asked);
    if (pipe.opened !== undefined) this.#send(pipe, pipe.opened, asked);
  }

  #send(pipe: Pipe, opened: Connection, asked: Asked): void {
    this.#gather(pipe, opened);
    // Made by hand: `client.query` copies its argument, and creates promises that are not needed here.
    const query = new Query(asked.text, asked.values);
    const callback = (error: unknown, result: { rows: Rows }) => {
      this.#answered(pipe, asked);
      if (error) return this.#failed(pipe, asked, error);
      this.#options.circuit.good();
      asked.copies -= 1;
      asked.resolve(result.rows);
    };
    opened.client.query(Object.assign(query, { name: asked.name, callback }));
  }

  #failed(pipe: Pipe, asked: Asked, error: unknown): void {
    if (!isSpent(error)) this.#options.circuit.good();
    if (isSpent(error)) this.#lost(pipe, asked, error);
    else this.#fail(asked, error);
  }

  /** The statements of one turn of the event loop are sent in one write. */
  #gather(pipe: Pipe, { socket }: Connection): void {
    if (pipe.isGathering) return;
    pipe.isGathering = true;
    socket.cork();
    setImmediate(() => {
      pipe.isGathering = false;
      this.#unsent.clear();
      socket.uncork();
    });
  }

  #answered(pipe: Pipe, asked: Asked): void {
    const { queue } = pipe;
    if (queue[0] === asked) queue.shift();
    else queue.splice(queue.indexOf(asked), 1);
    noteStatement(asked, asked.askedAt, asked.trace);
    pipe.headTicks = 0;
  }

  /** Fails the statement that the lost connection was running; those queued behind it are sent once more. */
  #lost(pipe: Pipe, asked: Asked, error: unknown): void {
    const wasFirst = !pipe.isLost;
    pipe.isLost = true;
    if (this.#pipes.delete(pipe)) void pipe.opened?.end();
    const other =
      wasFirst || asked.times > 1 || this.#options.circuit.rejection() ? undefined : this.#choose();
    if (other === undefined) this.#fail(asked, error);
    else {
      asked.copies -= 1;
      this.#put(other, asked);
    }
  }

  #fail(asked: Asked, error: unknown): void {
    asked.copies -= 1;
    if (asked.copies > 0 && (isSpent(error) || isUnprepared(error))) return;
    if (isUnprepared(error)) return void this.#askBeside(asked);
    this.#unsent.clear();
    asked.reject(error);
  }

  state(): { connections: number; waiting: number } {
    let waiting = 0;
    for (const { queue } of this.#pipes) waiting += queue.length;
    return { connections: this.#pipes.size, waiting };
  }

  tick(): boolean {
    let isWaiting = false;
    for (const pipe of this.#pipes) {
      if (pipe.queue.length === 0) continue;
      isWaiting = true;
      if (pipe.opened === undefined) continue;
      pipe.headTicks += 1;
      if (pipe.headTicks === stalledTicks) this.#askElsewhere(pipe);
      if (pipe.headTicks >= deadTicks) this.#options.circuit.distrust();
    }
    return isWaiting;
  }

  /** Other stalled connections are most likely dead, too; their statements were already sent elsewhere. */
  distrust(): void {
    for (const pipe of this.#pipes) if (pipe.headTicks >= stalledTicks) pipe.opened?.destroy();
  }

  /** The first statement may be slow, or its connection dead: it is sent again on a separate one, and those queued behind it on another. */
  #askElsewhere({ queue: [head, ...behind] }: Pipe): void {
    if (head !== undefined) this.#askBeside(head);
    for (const asked of behind) {
      const other = asked.times > maxTimes ? undefined : this.#choose();
      if (other === undefined) this.#askBeside(asked);
      else this.#put(other, asked);
    }
  }

  #askBeside(asked: Asked): void {
    this.#slow.add(asked.name);
    asked.copies += 1;
    const { name, text, values } = asked;
    this.#askAside(name, text, values).then(asked.resolve, (error) => this.#fail(asked, error));
  }

  fail(error: Error): void {
    this.#unsent.clear();
    for (const { opened, queue } of this.#pipes) {
      for (const asked of queue) asked.reject(error);
      opened?.destroy();
    }
    this.#pipes.clear();
  }

  async end(): Promise<void> {
    await Promise.all([...this.#pipes].map((pipe) => pipe.opening.then(() => pipe.opened?.end())));
  }
}
