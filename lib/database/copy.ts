import type { Socket } from "node:net";
import type { Client, Submittable } from "pg";
import type { Connection } from "./connection";

/*
 * COPY in text format over a connection of ours, which node-postgres has no function for. It hands the protocol's messages to
 * whatever query object is active; these are such objects.
 *
 *     copyOut: server --CopyData per row--> batches of 64 KiB --> consumer; the socket is paused while 16 of them wait
 *     copyIn:  source --chunks of whole or partial rows--> server; waits whenever the socket's buffer is full
 */

const batchBytes = 64 * 1024;
const maxBatches = 16;

/** The used part of node-postgres' connection, which its types do not declare. */
interface Wire {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

interface Signal {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A promise with its resolve and reject functions; never an unhandled rejection. */
function newSignal(): Signal {
  const signal: Signal = {
    promise: Promise.resolve(),
    resolve: () => undefined,
    reject: () => undefined,
  };
  signal.promise = new Promise<void>((resolve, reject) =>
    Object.assign(signal, { resolve, reject }),
  );
  signal.promise.catch(() => undefined);
  return signal;
}

/** Handles the messages of a query; it has no `text`, so that it is not taken for a prepared statement. */
abstract class CopyQuery implements Submittable {
  protected wire: Wire | undefined;
  protected readonly end = newSignal();
  readonly #statement: string;
  constructor(statement: string) {
    this.#statement = statement;
  }
  get done(): Promise<void> {
    return this.end.promise;
  }
  submit(connection: unknown): void {
    this.wire = connection as Wire;
    this.wire.query(this.#statement);
  }
  handleError(error: unknown): void {
    this.end.reject(error);
  }
  handleReadyForQuery(): void {
    this.end.resolve();
  }
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

class CopyOutQuery extends CopyQuery {
  readonly batches: Buffer[] = [];
  #filling = Buffer.allocUnsafe(batchBytes);
  #filled = 0;
  #wake: (() => void) | undefined;
  isEnded = false;

  /** The chunk is a part of the parser's buffer, which is reused, so it is copied at once. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > batchBytes) this.#flush();
    if (chunk.length > batchBytes) this.batches.push(Buffer.from(chunk));
    else this.#filled += chunk.copy(this.#filling, this.#filled);
    if (this.batches.length >= maxBatches) this.wire?.stream.pause();
    this.#wake?.();
  }
  override handleError(error: unknown): void {
    super.handleError(error);
    this.#end();
  }
  override handleReadyForQuery(): void {
    this.#flush();
    super.handleReadyForQuery();
    this.#end();
  }
  #flush(): void {
    if (this.#filled === 0) return;
    this.batches.push(this.#filling.subarray(0, this.#filled));
    this.#filling = Buffer.allocUnsafe(batchBytes);
    this.#filled = 0;
  }
  #end(): void {
    this.isEnded = true;
    this.#wake?.();
  }
  resume(): void {
    this.wire?.stream.resume();
  }
  async more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}

const submit = (client: Client, query: CopyQuery): void => {
  client.query(query as unknown as Submittable);
};

/** The rows of a `copy ... to stdout`, as buffers of whole rows of at most 64 KiB, or of one row. */
export async function* copyOut(
  { client }: Pick<Connection, "client">,
  statement: string,
): AsyncGenerator<Buffer> {
  const query = new CopyOutQuery(statement);
  submit(client, query);
  while (!query.isEnded || query.batches.length > 0) {
    const batch = query.batches.shift();
    if (batch) yield batch;
    else {
      query.resume();
      if (!query.isEnded && query.batches.length === 0) await query.more();
    }
  }
  await query.done;
}

/** A server that has rejected the rows still reads them, so the socket always drains or closes. */
function drained(stream: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off("drain", go).off("close", go);
      resolve();
    };
    stream.on("drain", go).on("close", go);
  });
}

class CopyInQuery extends CopyQuery {
  readonly #asked = newSignal();
  get ready(): Promise<void> {
    return Promise.race([this.#asked.promise, this.done]);
  }
  handleCopyInResponse(): void {
    this.#asked.resolve();
  }
  async send(chunk: Buffer): Promise<void> {
    const { wire } = this;
    if (!wire) return;
    wire.sendCopyFromChunk(chunk);
    if (wire.stream.writableNeedDrain) await drained(wire.stream);
  }
  finish(): void {
    this.wire?.endCopyFrom();
  }
  cancel(): void {
    this.wire?.sendCopyFail("the source failed");
  }
}

/** Runs a `copy ... from stdin` with these chunks. Throws the server's error, or the source's. */
export async function copyIn(
  { client }: Pick<Connection, "client">,
  statement: string,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const query = new CopyInQuery(statement);
  submit(client, query);
  await query.ready;
  try {
    for await (const chunk of chunks) await query.send(chunk);
  } catch (error) {
    query.cancel();
    await query.done.catch(() => undefined);
    throw error;
  }
  query.finish();
  await query.done;
}
