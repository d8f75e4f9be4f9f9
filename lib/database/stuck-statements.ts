import type { QueryConfig } from "pg";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { cut } from "@/lib/protocol/text";
import { addSpan, currentTrace, type Trace } from "@/lib/protocol/tracing";
import { type AwayTenants, excess, isHopeless, moveOn, tenantOf, type Underway } from "./blocked";
import { ticksIn } from "./circuit";
import { failed, isStatementTimeout } from "./failures";
import { type Slot, underwayOf } from "./loan";
import type { ServerSessions } from "./server-sessions";

/** Faster statements are never slow: the setting is read only for slower ones. */
const minMs = 50;
const maxTextLength = 500;

const state = perProcess("slow-statements", () => ({ count: 0 }));

/** A statement without its literal values; parameters ($1) stay. */
export function withoutValues(text: string): string {
  const bare = text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "?")
    .replaceAll(/\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gi, "?")
    .replaceAll(/(?<![$\w])\d+(?:\.\d+)?\b/g, "?")
    .replaceAll(/\s+/g, " ")
    .trim();
  return cut(bare, maxTextLength, "");
}

type Statement = string | Pick<QueryConfig, "name" | "text">;

function trace(found: Trace, query: Statement, startMs: number): void {
  const { name = "statement", text } = typeof query === "string" ? { text: query } : query;
  const attributes = { "db.system.name": "postgresql", "db.query.text": withoutValues(text) };
  addSpan(found, { name, startMs, kind: "client", attributes });
}

/** Logs a statement that took longer than SLOW_STATEMENT_MS, waiting included, and adds it to its request's trace: by its text without values. */
export function noteStatement(query: Statement, startMs: number, of = currentTrace()): void {
  if (of) trace(of, query, startMs);
  const ms = performance.now() - startMs;
  if (ms < minMs) return;
  const threshold = setting("SLOW_STATEMENT_MS");
  if (threshold === 0 || ms < threshold) return;
  state().count += 1;
  const { name, text } = typeof query === "string" ? { name: undefined, text: query } : query;
  log().warn({ ms: Math.round(ms), name, statement: withoutValues(text) }, "slow statement");
}

export const slowStatements = (): number => state().count;

/** A statement that takes longer is stuck: it no longer counts against the pool's size. */
const stuckTicks = ticksIn(150);
/** Time without a response after which the server is queried whether it executes the statement. */
const silentTicks = ticksIn(700);
/** How many times in a row the server may report that it does not, before the connection is considered dead. */
const maxMissed = 2;
/** For this time after a connection was found dead, others that were open then are considered dead after a shorter silence. */
const suspicionMs = 3000;
const suspectTicks = ticksIn(300);
/** A node of a cluster that has not responded until then is stopped or unreachable. */
const frozenTicks = ticksIn(2000);
/** The number of such statements of a pool that may keep their connections. */
const maxFrozen = 2;
/** Interval of the queries. */
const lookTicks = ticksIn(100);

export const isStuck = ({ ticks }: Slot): boolean => ticks >= stuckTicks;

const lockBusy = (cause?: unknown): Error =>
  failed("55P03", "Others wait for the same lock already.", cause);

interface Options {
  sessions: ServerSessions | undefined;
  away: AwayTenants;
  shedsFrozen: boolean;
  maxConnections: number;
  /** The pool's connections that are in use. */
  lent: ReadonlySet<Slot>;
  isAnybodyWaiting: () => boolean;
  /** Destroys a connection. */
  giveUp: (slot: Slot) => void;
}

interface Looked {
  slot: Slot;
  underway: Underway;
  pid: number;
}

/** Handles the long statements of a pool: rejects those that wait too long for a lock, and ends those that will never get a response. */
export class StuckStatements {
  readonly #options: Options;
  #ticks = 0;
  #blocked = 0;
  #isLooking = false;
  /** When a connection was last found dead. */
  #suspectedAt: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  underway(): Underway[] {
    return [...this.#options.lent].map((slot) => slot.underway);
  }

  /** Rejects a statement that could only wait behind others for a lock that is not released, once few connections are left. */
  admit(query: string | QueryConfig, values: unknown[] | undefined): Underway {
    const text = typeof query === "string" ? query : query.text;
    const given = typeof query === "string" ? values : (query.values ?? values);
    const next = underwayOf(text, tenantOf(text, given));
    const { isAnybodyWaiting, maxConnections, away } = this.#options;
    const isCrowded = isAnybodyWaiting() || this.#blocked >= maxConnections / 2;
    if (this.#blocked > 0 && isCrowded && isHopeless(next, this.underway())) throw lockBusy();
    next.isTrial = away.begin(next.tenant);
    return next;
  }

  /** Call when an admitted statement has its response. */
  answered(underway: Underway): void {
    const { away } = this.#options;
    away.end(underway.isTrial);
    away.answered(underway.tenant);
    if (underway.isBlocked) moveOn(underway, this.underway());
  }

  /** Call when it failed; returns the error for the caller. */
  failed(underway: Underway, error: unknown): unknown {
    const { away } = this.#options;
    away.end(underway.isTrial);
    if (underway.isBlocked && isStatementTimeout(error)) return lockBusy(error);
    away.failed(underway.tenant, error);
    return error;
  }

  tick(): void {
    this.#blocked = this.underway().filter(({ isBlocked }) => isBlocked).length;
    this.#ticks += 1;
    if (this.#ticks % lookTicks === 0) void this.#look();
  }

  async #look(): Promise<void> {
    const { sessions, lent, isAnybodyWaiting } = this.#options;
    const stuck = [...lent].filter(
      (slot) => isStuck(slot) && slot.connection.session !== undefined,
    );
    const isLong = stuck.some(({ ticks }) => ticks >= silentTicks);
    if (sessions === undefined || this.#isLooking || (stuck.length < 2 && !isLong)) return;
    this.#isLooking = true;
    const looked = stuck.map((slot) => ({
      slot,
      underway: slot.underway,
      pid: slot.connection.session?.pid ?? 0,
    }));
    try {
      const active = await sessions.findActive(looked.map(({ pid }) => pid));
      const found = new Map(active.map((one) => [one.pid, one]));
      for (const { underway, pid } of looked) {
        underway.isBlocked = found.get(pid)?.isBlocked === true;
        underway.missed = found.has(pid) ? 0 : underway.missed + 1;
      }
      this.#endDead(looked);
      await this.#endFrozen(looked.filter(({ pid }) => found.get(pid)?.isRemote === true));
      const tooMany = excess(looked);
      if (isAnybodyWaiting() && tooMany.length > 0)
        await sessions.cancelBlocked(tooMany.map(({ pid }) => pid));
    } catch {
      // Without a response, nothing is known and nothing is cancelled.
    }
    this.#isLooking = false;
  }

  /** Cancels statements that wait for a node of the cluster that does not respond. */
  async #endFrozen(remote: readonly Looked[]): Promise<void> {
    const { sessions, away, shedsFrozen, isAnybodyWaiting } = this.#options;
    const frozen = remote.filter(
      ({ slot, underway }) => slot.underway === underway && slot.ticks >= frozenTicks,
    );
    for (const { underway } of frozen) away.suspect(underway.tenant);
    const tooMany = frozen.slice(maxFrozen).map(({ pid }) => pid);
    if (shedsFrozen && isAnybodyWaiting() && tooMany.length > 0)
      await sessions?.cancelRemote(tooMany);
  }

  /**
   * A statement that the server does not execute will never get a response: its connection is dead. Connections of the same age were
   * most likely lost with it. If not ended, those that wait for a lock would get it in turn and hold it for a lost client.
   */
  #endDead(looked: readonly Looked[]): void {
    const pending = looked.filter(({ slot, underway }) => slot.underway === underway);
    const isDead = ({ slot, underway }: Looked) =>
      slot.ticks >= silentTicks && underway.missed > maxMissed;
    if (pending.some(isDead)) this.#suspectedAt = performance.now();
    const suspectedAt = this.#suspectedAt ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - suspectedAt > suspicionMs) return;
    for (const { slot, underway } of pending) {
      const isSuspect = slot.openedAt < suspectedAt && slot.ticks >= suspectTicks;
      if (isSuspect && (underway.missed > 0 || underway.isBlocked)) this.#options.giveUp(slot);
    }
  }
}
