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
 * The transactions of one request that must not be done twice. Each stays open after its work, until the next one begins or the
 * request's answer is known: so the answer is kept with the last of them, or neither is. While one is open nothing else of the
 * request may wait for a connection, and what it wrote is read within it.
 */
export class HeldTransactions {
  #open: Open | undefined;
  #ended: Promise<void> = Promise.resolve();
  readonly #following: (() => void)[] = [];

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** What is open: an answer that shows the work is read within it. */
  get openTransaction(): Transaction | undefined {
    return this.#open?.tx;
  }

  /** Runs the work as `transaction` does, and answers while it is still open. */
  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.commit();
    return new Promise<T>((resolve, reject) => {
      let isAnswered = false;
      this.#ended = transaction(async (tx) => {
        // The caller has the first result already: another one must not be kept.
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

  /** To be done when what is open has ended, however it did. */
  afterwards(follow: () => void): void {
    this.#following.push(follow);
  }

  /** Writes the last things within what is open, if anything is, and commits it. */
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

/** A transaction, held open where the request must not be done twice. */
export function transactionFor<T>(
  { held }: { held?: HeldTransactions | undefined },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return held ? held.run(work) : transaction(work);
}

/** Where the request reads what it wrote: within its transaction while that is held open. */
export const readerFor = ({ held }: { held?: HeldTransactions | undefined }): Executor =>
  held?.openTransaction ?? db();

/** A text with $1, $2, ... as a statement that a transaction runs. */
export const boundStatement = (text: string, values: readonly unknown[]): SQL =>
  sql.join(
    text
      .split(/\$(\d+)/)
      .map((part, place) => (place % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
  );
