import { setImmediate as nextTurn } from "node:timers/promises";
import { assertCredentialUsable, assertNotRevoked } from "@/lib/access/authenticate";
import { assertApiKeyAllowed } from "@/lib/access/authorization";
import type { Principal } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { policyOf } from "@/lib/access/sites";
import { sitesWithout } from "@/lib/features/customers/site-rights";
import { ApiError, invalid, isRejection } from "@/lib/protocol/errors";
import { importCustomers } from "./contract";
import type { ImportRow } from "./rows";

/** The sites at which somebody may manage customers. */
export function managedSites(principal: Principal): string[] {
  const all = [...principal.siteIds];
  const unmanaged = new Set(sitesWithout(principal, "customer.manage", all));
  return all.filter((one) => !unmanaged.has(one));
}

/**
 * The sites at which the author of an import may manage customers now; none where such a request would be rejected now. A file may be
 * on its way for an hour, and rights are taken away meanwhile.
 */
export async function sitesOfMaker(
  row: Pick<ImportRow, "tenantId" | "userId" | "keyId" | "siteId">,
): Promise<string[]> {
  const { tenantId, userId, keyId, siteId } = row;
  const maker = await describeCredential(
    tenantId,
    keyId === null ? { userId } : { apiKeyId: keyId },
  );
  if (maker?.principal.userId !== userId) return [];
  try {
    assertNotRevoked(maker);
    assertCredentialUsable(maker, Date.now());
    assertApiKeyAllowed(importCustomers, maker.principal, await policyOf(tenantId));
  } catch (error) {
    if (isRejection(error)) return [];
    throw error;
  }
  const managed = managedSites(maker.principal);
  return managed.includes(siteId) ? managed : [];
}

/*
 * Cuts a file into batches of whole lines while it arrives. Nothing is decoded: a line ends at byte 10.
 *
 *     chunks of the body:   {"a":1}\n{"b"   :2}\n  \n{"c":3}
 *     batch:                firstLine 1, items 3, content {"a":1}\n{"b":2}\n\n{"c":3}
 *
 * Blank lines stay as empty ones, so that the number of a line follows from its place: there may be few of them. A line that is too
 * long is not kept: one zero byte, which no JSON text begins with, stands for it. Memory: one batch and one line. A chunk is cut
 * without a pause, and the event loop takes a turn after each: a client that sends at full speed keeps nobody else waiting.
 */

export interface Batch {
  /** The number of its first line, from 1. */
  firstLine: number;
  /** Lines that are not empty. */
  items: number;
  content: Buffer;
}

export const maxLineBytes = 256 * 1024;
/** Of one file: each takes time, and says nothing. */
export const maxEmptyLines = 10_000;
const maxLines = 1000;
const maxBytes = 512 * 1024;
const bytesOfTurn = 64 * 1024;
/** How many blank bytes are accepted whatever else is in the file. */
const freeBlankBytes = 64 * 1024;
/** Pieces of a line that are kept apart before they are joined. */
const maxPieces = 256;

/** Stands for a line that was longer than any may be. */
export const tooLongLine = Buffer.from([0]);

const newLine = 10;
const lineEnd = Buffer.from([newLine]);
const emptyLine = Buffer.alloc(0);

/** Stands for a line that happens to be what stands for one that was too long: no JSON text begins with it either. */
const zeroLine = Buffer.from([0, 0]);

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The first line, without the mark that some editors put before it. */
function withoutMark(line: Buffer): Buffer {
  if (!line.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return line;
  const rest = line.subarray(byteOrderMark.length);
  return isBlank(rest) ? emptyLine : rest;
}

/** Throws 400 for a file that is one JSON array: its lines end in commas and are no JSON, and only some would be imported. */
function assertNoArray(line: Buffer): void {
  if (line.find((byte) => byte !== 32 && byte !== 9) === 0x5b)
    throw new ApiError(
      "request.invalid-json",
      "The file is a JSON array. Send one JSON object a line, without brackets and commas.",
    );
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  return true;
}

/** Counts blank lines and bytes. Throws 400 for a file that has too many: each costs time, and none says anything. */
function countBlanks() {
  let [lines, blank, other] = [0, 0, 0];
  return (size: number, isBlankLine: boolean) => {
    if (!isBlankLine) other += size;
    else [lines, blank] = [lines + 1, blank + size];
    if (lines > maxEmptyLines)
      throw invalid([
        {
          pointer: "",
          detail: `The body has more than ${maxEmptyLines} empty lines. Remove them.`,
        },
      ]);
    if (blank > Math.max(freeBlankBytes, other))
      throw invalid([
        { pointer: "", detail: "The body has more blank bytes than others. Remove blank lines." },
      ]);
  };
}

/** A line of which the end has not arrived. */
function openLine() {
  let pieces: Buffer[] = [];
  let size = 0;
  let hasText = false;
  return {
    size: () => size,
    add: (piece: Buffer) => {
      size += piece.length;
      hasText ||= !isBlank(piece);
      if (size > maxLineBytes) pieces = [];
      else if (pieces.push(piece) > maxPieces) pieces = [Buffer.concat(pieces)];
    },
    take: () => {
      const bytes = size + 1;
      const text = hasText ? Buffer.concat(pieces) : emptyLine;
      const held = text.equals(tooLongLine) ? zeroLine : text;
      const line = size > maxLineBytes ? tooLongLine : held;
      [pieces, size, hasText] = [[], 0, false];
      return { line, bytes };
    },
  };
}

/** Takes a body in pieces, and gives the batches that they complete. */
function openCutter() {
  const count = countBlanks();
  const current = openLine();
  let parts: Buffer[] = [];
  let [number, lines, bytes, items] = [0, 0, 0, 0];
  let hasLine = false;
  const takeBatch = (): Batch[] => {
    const batch = { firstLine: number - lines + 1, items, content: Buffer.concat(parts) };
    [parts, lines, bytes, items] = [[], 0, 0, 0];
    return batch.items > 0 ? [batch] : [];
  };
  const endLine = (): Batch[] => {
    const { line: given, bytes: size } = current.take();
    const line = number === 0 ? withoutMark(given) : given;
    if (!hasLine && line !== emptyLine) assertNoArray(line);
    hasLine ||= line !== emptyLine;
    count(size, line === emptyLine);
    [number, lines, bytes] = [number + 1, lines + 1, bytes + line.length];
    parts.push(line, lineEnd);
    if (line !== emptyLine) items += 1;
    return lines < maxLines && bytes < maxBytes ? [] : takeBatch();
  };
  return {
    add: (piece: Buffer): Batch[] => {
      const complete: Batch[] = [];
      let from = 0;
      for (let end = piece.indexOf(newLine); end !== -1; end = piece.indexOf(newLine, from)) {
        if (end > from) current.add(piece.subarray(from, end));
        complete.push(...endLine());
        from = end + 1;
      }
      if (from < piece.length) current.add(piece.subarray(from));
      return complete;
    },
    end: (): Batch[] => [...(current.size() > 0 ? endLine() : []), ...takeBatch()],
  };
}

/** The batches of a body; none of them is of empty lines only. Throws 400 for a body that is blank for the most part. */
export async function* batchesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  const cutter = openCutter();
  for await (const { buffer, byteOffset, byteLength } of body)
    for (let from = 0; from < byteLength; from += bytesOfTurn) {
      const size = Math.min(bytesOfTurn, byteLength - from);
      yield* cutter.add(Buffer.from(buffer, byteOffset + from, size));
      await nextTurn();
    }
  yield* cutter.end();
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
