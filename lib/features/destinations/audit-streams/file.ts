import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type Attempt, attempted } from "@/lib/features/events/delivery/attempt";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { setting } from "@/lib/protocol/settings";
import type { Batch, OpenStream } from "./stream";

type File = Extract<StreamSettings, { kind: "file" }>;

/** A part of the path is a link, or not a folder or regular file as expected. */
class NotOurs extends Error {}

/** The folder within the root, created if missing. No part of its path may be a link. */
async function makeFolder(root: string, steps: readonly string[]): Promise<string> {
  let at = await realpath(root);
  for (const step of steps) {
    at = join(at, step);
    await mkdir(at, { mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if (!(await lstat(at)).isDirectory()) throw new NotOurs();
  }
  return at;
}

const blockSize = 65_536;
const newline = "\n".charCodeAt(0);

/** The end of the last complete line: a killed process or a full disk may have left an incomplete one. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(blockSize);
  for (let end = size; end > 0; ) {
    const begin = Math.max(0, end - blockSize);
    const { bytesRead } = await file.read(block, 0, end - begin, begin);
    const last = block.subarray(0, bytesRead).lastIndexOf(newline);
    if (last !== -1) return begin + last + 1;
    end = begin;
  }
  return 0;
}

async function writeAll(file: FileHandle, bytes: Buffer, from: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, from + done);
    done += bytesWritten;
  }
  await file.datasync();
}

/** Appends the lines after the last complete one: all of them or none. */
async function append(path: string, text: string, isNew: boolean): Promise<void> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o640);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.nlink !== 1) throw new NotOurs();
    const end = isNew ? 0 : await endOfLines(file, found.size);
    await file.truncate(end);
    await writeAll(file, Buffer.from(text), end).catch(async (error: unknown) => {
      await file.truncate(end);
      throw error;
    });
  } finally {
    await file.close();
  }
}

function problemOfFile(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof NotOurs || code === "ELOOP" || code === "ENOTDIR")
    return "A link or something other than a folder or file stands in the way.";
  if (code === "ENOSPC" || code === "EDQUOT") return "There is no space left.";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return "The service may not write there.";
  return "The file cannot be written.";
}

/** Appends the entries to the file of their day, in the tenant's folder below AUDIT_STREAM_FOLDER. */
export function sendToFile(
  { tenantId, streamId, settings }: OpenStream<File>,
  { first, entries, text }: Batch,
): Promise<Attempt> {
  return attempted(async () => {
    const root = setting("AUDIT_STREAM_FOLDER");
    if (root === undefined) return { problem: "The operator has not set AUDIT_STREAM_FOLDER." };
    const folder = await makeFolder(root, [tenantId, settings.folder]);
    const isTest = first === 0;
    const day = entries[0]?.occurredAt.slice(0, 10);
    await append(join(folder, `${streamId}-${isTest ? "test" : day}.ndjson`), text, isTest);
    return { isDelivered: true };
  }, problemOfFile);
}
