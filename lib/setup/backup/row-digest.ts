import { hash } from "node:crypto";

const newline = 0x0a;
const lanes = 8;

/**
 * Count and checksum of a table's rows in COPY's text format, in whatever order they come: the server promises none.
 *
 *     checksum = sum of SHA-256(row) over all rows, as eight numbers modulo 2^32
 *
 * In that format a line feed only ever ends a row, so chunks may be cut anywhere. It finds what was lost, doubled or changed by
 * accident; against forgery a backup is encrypted.
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
