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

/** The sites at which a caller may manage customers. */
export function managedSites(principal: Principal): string[] {
  const all = [...principal.siteIds];
  const unmanaged = new Set(sitesWithout(principal, "customer.manage", all));
  return all.filter((one) => !unmanaged.has(one));
}

/**
 * The sites at which the author of an import may manage customers now; empty if the same request would be rejected now. An upload may take
 * an hour, in which rights may be revoked.
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
 * Blank lines are stored as empty ones, so that a line's number follows from its position; their number is limited. A line that is too long
 * is replaced by one zero byte, with which no JSON text starts. Memory: one batch and one line. A chunk is cut without a pause, then the
 * event loop gets a turn, so a client that sends at full speed does not block others.
 */

export interface Batch {
  /** The number of its first line, from 1. */
  firstLine: number;
  /** Lines that are not empty. */
  items: number;
  content: Buffer;
}

export const maxLineBytes = 256 * 1024;
/** The limit for one file, as each one costs time without any content. */
export const maxEmptyLines = 10_000;
const maxLines = 1000;
const maxBytes = 512 * 1024;
const bytesOfTurn = 64 * 1024;
/** How many blank bytes are always accepted. */
const freeBlankBytes = 64 * 1024;
/** How many pieces of a line are collected before they are joined. */
const maxPieces = 256;

/** Replaces a line over the maximum length. */
export const tooLongLine = Buffer.from([0]);

const newLine = 10;
const lineEnd = Buffer.from([newLine]);
const emptyLine = Buffer.alloc(0);

/** Replaces a line that happens to equal `tooLongLine`; it is not valid JSON either. */
const zeroLine = Buffer.from([0, 0]);

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The first line without a byte order mark, which some editors write. */
function withoutMark(line: Buffer): Buffer {
  if (!line.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return line;
  const rest = line.subarray(byteOrderMark.length);
  return isBlank(rest) ? emptyLine : rest;
}

/** Throws 400 for a file that is one JSON array: its lines end in commas, so most of them are not valid JSON. */
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

/** Counts blank lines and bytes. Throws 400 for a file that has too many: each costs time and has no content. */
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

/** A line whose end has not arrived. */
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

/** Takes the pieces of a body and returns the batches that they complete. */
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

/** The batches of a body; none consists of empty lines only. Throws 400 for a body that is mostly blank. */
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
