import { type SQL, sql } from "drizzle-orm";
import { ApiError } from "@/lib/protocol/errors";
import { db, type Executor, type Transaction, transaction } from "./open";

type Last = (tx: Transaction) => Promise<void>;

interface Open {
  tx: Transaction;
  finish: (last: Last) => void;
  abandon: (reason: unknown) => void;
}

const nothing: Last = () => Promise.resolve();

/**
 * The transactions of one request with an idempotency key. Each stays open after its work until the next one starts or the
 * response is known, so that the response is stored with the last of them or not at all. While one is open, the request must
 * not wait for another connection, and must read its writes within it.
 */
export class HeldTransactions {
  #open: Open | undefined;
  #ended: Promise<void> = Promise.resolve();
  readonly #following: (() => void)[] = [];

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The open transaction: a response that shows its writes must be read within it. */
  get openTransaction(): Transaction | undefined {
    return this.#open?.tx;
  }

  /** Runs the work as `transaction` does, and returns while it is still open. */
  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.commit();
    return new Promise<T>((resolve, reject) => {
      let isAnswered = false;
      this.#ended = transaction(async (tx) => {
        // The caller already has the first result, so a second run must not be committed.
        if (isAnswered)
          throw new ApiError(
            "server.store-busy",
            "The store could not keep the change. Try again.",
          );
        const result = await work(tx);
        isAnswered = true;
        const last = new Promise<Last>((finish, abandon) => {
          this.#open = { tx, finish, abandon };
        });
        resolve(result);
        await (await last)(tx);
      });
      this.#ended.catch(reject);
    });
  }

  /** Calls this when the open transaction has ended, by commit or rollback. */
  afterwards(follow: () => void): void {
    this.#following.push(follow);
  }

  /** Runs `last` within the open transaction, if there is one, and commits it. */
  async commit(last: Last = nothing): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.finish(last);
    await this.#end();
  }

  async rollback(reason: unknown): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.abandon(reason);
    await this.#end().catch(() => undefined);
  }

  async #end(): Promise<void> {
    try {
      await this.#ended;
    } finally {
      for (const follow of this.#following.splice(0)) follow();
    }
  }
}

/** Runs a transaction, which is held open for a request with an idempotency key. */
export function transactionFor<T>(
  { held }: { held?: HeldTransactions | undefined },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return held ? held.run(work) : transaction(work);
}

/** The executor with which the request reads its own writes: its transaction while that is held open. */
export const readerFor = ({ held }: { held?: HeldTransactions | undefined }): Executor =>
  held?.openTransaction ?? db();

/** A text with $1, $2, ... as a statement for a transaction. */
export const boundStatement = (text: string, values: readonly unknown[]): SQL =>
  sql.join(
    text
      .split(/\$(\d+)/)
      .map((part, place) => (place % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
  );
