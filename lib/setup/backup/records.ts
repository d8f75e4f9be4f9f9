import { hash } from "node:crypto";

/*
 * The content of a backup before compression and encryption: records of a type, a length and a content.
 *
 *     | type: 1 byte | length: 4 bytes, big-endian | content |
 *
 *     manifest  JSON: the schema's migrations, the tables in the order in which they can be filled
 *     ( table   JSON: the table's name
 *       data*   its rows in COPY's text format
 *       sums )  JSON: the number of rows, and their checksum
 *     end       JSON: all tables and rows; a file without it is truncated
 */

export const recordTypes = { manifest: 1, table: 2, data: 3, sums: 4, end: 5 } as const;

export interface BackupRecord {
  type: number;
  content: Buffer;
}

/** A row of a preview revision may be large, but no record is. */
const maxContent = 256 * 1024 * 1024;
const headBytes = 5;

export function encodeRecord(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(type, 0);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

export const encodeJson = (type: number, content: unknown): Buffer =>
  encodeRecord(type, Buffer.from(JSON.stringify(content)));

/** Collects the chunks of a stream until the requested number of bytes is available. */
class Reader {
  readonly #source: AsyncIterator<Buffer>;
  #chunks: Buffer[] = [];
  #length = 0;
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }
  /** The next bytes, this many; undefined at the end of the stream. Throws if the stream ends before. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#length < length) {
      const { value, done } = await this.#source.next();
      if (done) break;
      this.#chunks.push(value);
      this.#length += value.length;
    }
    if (this.#length === 0 && length > 0) return undefined;
    if (this.#length < length) throw new Error("The backup is cut short.");
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const bytes = all ?? Buffer.alloc(0);
    this.#chunks = length < bytes.length ? [bytes.subarray(length)] : [];
    this.#length -= length;
    return bytes.subarray(0, length);
  }
}

export async function* decodeRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  const reader = new Reader(source);
  for (;;) {
    const head = await reader.take(headBytes);
    if (!head) return;
    const length = head.readUInt32BE(1);
    if (length > maxContent) throw new Error("The backup is damaged: a record is too long.");
    const content = length === 0 ? Buffer.alloc(0) : await reader.take(length);
    if (!content) throw new Error("The backup is cut short.");
    yield { type: head.readUInt8(0), content };
  }
}

const newline = 0x0a;
const lanes = 8;

/**
 * Count and checksum of a table's rows in COPY's text format, in any order: the server guarantees none.
 *
 *     checksum = sum of SHA-256(row) over all rows, as eight numbers modulo 2^32
 *
 * In that format a line feed only ever ends a row, so chunks may be cut anywhere. It detects accidental loss, duplicates and
 * changes; against forgery a backup is encrypted.
 */
export class RowDigest {
  rows = 0;
  readonly #sums = new Uint32Array(lanes);
  #rest: Buffer[] = [];

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#addRow(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(start)));
  }

  #addRow(end: Buffer): void {
    const row = this.#rest.length === 0 ? end : Buffer.concat([...this.#rest, end]);
    if (this.#rest.length > 0) this.#rest = [];
    const digest = hash("sha256", row, "buffer");
    this.rows += 1;
    for (let lane = 0; lane < lanes; lane += 1)
      this.#sums[lane] = (this.#sums[lane] ?? 0) + digest.readUInt32LE(lane * 4);
  }

  /** In hexadecimal, the same on every machine. */
  checksum(): string {
    const bytes = Buffer.alloc(lanes * 4);
    for (const [lane, sum] of this.#sums.entries()) bytes.writeUInt32LE(sum, lane * 4);
    return bytes.toString("hex");
  }
}
