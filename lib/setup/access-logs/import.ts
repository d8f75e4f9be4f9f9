import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

import { bucketOf, type Cell, encodeLabels } from "@/lib/features/metrics/call-labels";
import { compact } from "@/lib/features/metrics/compaction";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import { findMark, lineHash } from "@/lib/features/metrics/import-marks";
import { limits } from "@/lib/features/metrics/values";
import { writeCells } from "@/lib/features/metrics/write";
import { placeOf, readLine } from "@/lib/setup/access-logs/access-log";

/** The results for the lines of a log: each line counts in exactly one of these. */
export interface Imported {
  counted: number;
  /** Lines that an earlier import had counted. */
  repeated: number;
  /** Too old, or in the future. */
  outside: number;
  unreadable: number;
}

export interface Progress extends Imported {
  /** 0 to 1. */
  share: number;
}

/** A batch ends at the same line in every run if the batch before it did. */
const cellsOfPart = limits.batchCells;
const linesOfPart = 200_000;
const oldestMs = 3 * 365 * dayMs;

interface Gathered {
  values: string[];
  at: number;
  count: number;
  latency: Map<number, number>;
}

interface Part {
  lines: number;
  counted: number;
  cells: Map<string, Gathered>;
}

const newPart = (): Part => ({ lines: 0, counted: 0, cells: new Map() });

type Fate = "counted" | "outside" | "unreadable";

function add(part: Part, line: string, now: number): Fate {
  part.lines += 1;
  const found = readLine(line);
  if (!found) return "unreadable";
  const { at, method, path, status, ms } = found;
  if (at < now - oldestMs || at > now + 5 * minuteMs) return "outside";
  const { domain, template } = placeOf(path);
  const endpoint = `${method} ${template}`;
  const key = `${at} ${endpoint} ${status}`;
  const known = part.cells.get(key);
  const cell = known ?? {
    values: encodeLabels({
      domain,
      endpoint,
      method,
      status: String(status),
      credentialKind: "none",
    }),
    at,
    count: 0,
    latency: new Map<number, number>(),
  };
  if (!known) part.cells.set(key, cell);
  cell.count += 1;
  if (ms !== undefined) cell.latency.set(bucketOf(ms), (cell.latency.get(bucketOf(ms)) ?? 0) + 1);
  part.counted += 1;
  return "counted";
}

const cellOf = ({ at, values, count, latency }: Gathered): Cell => ({
  at,
  values,
  count,
  latency: [...latency],
});

/** The lines of a log, without empty ones; `onRead` gets the number of bytes read. */
async function* linesOf(
  file: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  const raw = createReadStream(file);
  raw.on("data", (chunk) => onRead(chunk.length));
  const input = file.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line !== "") yield line;
  } finally {
    raw.destroy();
  }
}

/** Counts every line of an access log (Combined or JSON, also gzipped) as calls of the tenant: once, even if rerun or interrupted. */
export async function importLog(
  file: string,
  tenantId: string,
  report: (progress: Progress) => void = () => undefined,
): Promise<Imported> {
  const { size } = await stat(file);
  const now = Date.now();
  const mark = await findMark(tenantId, linesOf(file));
  const result: Imported = { counted: 0, repeated: 0, outside: 0, unreadable: 0 };
  const hash = lineHash();
  let [read, line, part] = [0, 0, newPart()];
  const land = async () => {
    if (part.lines === 0) return;
    const batch = {
      tenantId,
      source: mark.source,
      seq: line,
      digest: Buffer.from(hash.digest(), "base64url"),
    };
    const isNew = await writeCells(batch, [...part.cells.values()].map(cellOf), now);
    result[isNew ? "counted" : "repeated"] += part.counted;
    part = newPart();
    report({ ...result, share: size === 0 ? 1 : read / size });
  };
  for await (const text of linesOf(file, (bytes) => {
    read += bytes;
  })) {
    line += 1;
    hash.add(text);
    if (line <= mark.lines) {
      result.repeated += 1;
      continue;
    }
    const fate = add(part, text, now);
    if (fate !== "counted") result[fate] += 1;
    if (part.cells.size >= cellsOfPart || part.lines >= linesOfPart) await land();
  }
  await land();
  await compact(tenantId);
  return result;
}
