import { maxLineBytes } from "./values";

/*
 * Cuts a file into batches of whole lines while it arrives. Nothing is decoded: a line ends at byte 10.
 *
 *     chunks of the body:   {"a":1}\n{"b"   :2}\n\n{"c":3}
 *     batch:                firstLine 1, items 3, content {"a":1}\n{"b":2}\n\n{"c":3}
 *
 * Empty lines stay, so that the number of a line follows from its place. A line that is too long is not kept: one zero byte, which
 * no JSON text begins with, stands for it. Memory: one batch and one line.
 */

export interface Batch {
  /** The number of its first line, from 1. */
  firstLine: number;
  /** Lines that are not empty. */
  items: number;
  content: Buffer;
}

const maxLines = 1000;
const maxBytes = 512 * 1024;

/** Stands for a line that was longer than any may be. */
export const tooLongLine = Buffer.from([0]);

const newLine = 10;
const isBlank = (line: Buffer) => line.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** The lines of a body as they end. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= maxLineBytes) parts.push(part);
  };
  const take = () => {
    const line = size > maxLineBytes ? tooLongLine : Buffer.concat(parts);
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(newLine); end !== -1; end = bytes.indexOf(newLine, from)) {
      add(bytes.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  if (size > 0) yield take();
}

/** The batches of a body; none of them is of empty lines alone. */
export async function* batchesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let lines: Buffer[] = [];
  let [number, bytes, items] = [0, 0, 0];
  const take = (): Batch => {
    const content = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
    return { firstLine: number - lines.length + 1, items, content };
  };
  for await (const line of linesOf(body)) {
    number += 1;
    lines.push(line);
    bytes += line.length;
    if (!isBlank(line)) items += 1;
    if (lines.length < maxLines && bytes < maxBytes) continue;
    if (items > 0) yield take();
    [lines, bytes, items] = [[], 0, 0];
  }
  if (items > 0) yield take();
}

/** The lines of a batch with their numbers, without the empty ones. */
export function numberedLines({ firstLine, content }: Pick<Batch, "firstLine" | "content">) {
  const found: { line: number; bytes: Buffer }[] = [];
  let from = 0;
  let line = firstLine;
  for (let end = content.indexOf(newLine); end !== -1; end = content.indexOf(newLine, from)) {
    const bytes = content.subarray(from, end);
    if (!isBlank(bytes)) found.push({ line, bytes });
    from = end + 1;
    line += 1;
  }
  return found;
}
