import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { type BackupRecord, decodeRecords } from "./records";

/*
 * The file: a line with the format, a line of JSON, and the compressed records. With a key the records are encrypted in chunks:
 *
 *     | length: 4 bytes | AES-256-GCM(64 KiB at most) | tag: 16 bytes |
 *
 * The file's own key is derived from BACKUP_KEY and a random salt, the nonce is the chunk's number and whether it is the last one,
 * and the two lines are authenticated with each chunk: chunks can be neither changed, reordered, removed nor truncated.
 */

const magic = "GATEHOUSE-BACKUP";
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const maxHead = 4096;

type Head = z.infer<typeof headShape>;

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce.writeUInt8(isLast ? 1 : 0, 8);
  return nonce;
}

const fileKey = (key: Buffer, salt: string) =>
  Buffer.from(hkdfSync("sha256", key, Buffer.from(salt, "base64"), "gatehouse backup", 32));

/** Splits a stream into chunks of one length, the last one shorter; an empty stream is one empty chunk. */
async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<[Buffer, boolean]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length > chunkBytes) {
      yield [rest.subarray(0, chunkBytes), false];
      rest = rest.subarray(chunkBytes);
    }
  }
  yield [rest, true];
}

async function* seal(source: AsyncIterable<Buffer>, key: Buffer, head: Buffer) {
  let number = 0;
  for await (const [part, isLast] of inParts(source)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number, isLast)).setAAD(head);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    yield Buffer.concat([length, cipher.update(part), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Writes the records to a new file, which gets its name only once it is complete and on the disk. */
export async function writeBackupFile(
  path: string,
  records: AsyncIterable<Buffer>,
  key: Buffer | undefined,
): Promise<number> {
  const salt = randomBytes(32).toString("base64");
  const head: Head = { format: 1, encryption: key ? { cipher: "aes-256-gcm", salt } : null };
  const lines = Buffer.from(`${magic}\n${JSON.stringify(head)}\n`);
  const file = await open(path, "wx", 0o600);
  try {
    const compressed = createGzip({ level: 4 });
    const filling = pipeline(Readable.from(records, { objectMode: false }), compressed);
    const body = key ? seal(compressed, fileKey(key, salt), lines) : compressed;
    await file.write(lines);
    let bytes = lines.length;
    for await (const chunk of body as AsyncIterable<Buffer>)
      bytes += (await file.write(chunk)).bytesWritten;
    await filling;
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

const headShape = z.object({
  format: z.literal(1),
  encryption: z.object({ cipher: z.literal("aes-256-gcm"), salt: z.string() }).nullable(),
});

/** Throws a message: without a key these lines of a backup are not protected, so that damage looks like a later format. */
function parseHead(line: string): Head {
  try {
    return headShape.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(
      "The backup's first lines are not of a format that this release knows: they are damaged, or a newer release wrote them.",
      { cause: error },
    );
  }
}

async function readHead(path: string): Promise<{ head: Head; lines: Buffer }> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead), 0, maxHead, 0);
    const start = buffer.subarray(0, bytesRead);
    const end = start.indexOf("\n", magic.length + 1);
    if (!start.toString("latin1").startsWith(`${magic}\n`) || end < 0)
      throw new Error(`${path} is no backup of Gatehouse.`);
    return {
      head: parseHead(start.subarray(magic.length + 1, end).toString()),
      lines: start.subarray(0, end + 1),
    };
  } finally {
    await file.close();
  }
}

async function* unseal(source: AsyncIterable<Buffer>, key: Buffer, head: Buffer) {
  let buffered = Buffer.alloc(0);
  let number = 0;
  const openPart = (part: Buffer, isLast: boolean) => {
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number, isLast)).setAAD(head);
    decipher.setAuthTag(part.subarray(-tagBytes));
    number += 1;
    try {
      return Buffer.concat([decipher.update(part.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      throw new Error(
        number === 1
          ? "The backup was encrypted under another BACKUP_KEY, or was changed."
          : "The backup was changed or cut short.",
      );
    }
  };
  for await (const chunk of source) {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const length = 4 + (buffered.length < 4 ? chunkBytes : buffered.readUInt32BE(0)) + tagBytes;
      // The last chunk is opened at the end of the file.
      if (buffered.length <= length) break;
      yield openPart(buffered.subarray(4, length), false);
      buffered = buffered.subarray(length);
    }
  }
  if (buffered.length < 4 + tagBytes || buffered.length !== 4 + buffered.readUInt32BE(0) + tagBytes)
    throw new Error("The backup is cut short.");
  yield openPart(buffered.subarray(4), true);
}

/** The records of a backup, decrypted and decompressed as they are read. Throws a message if they cannot be read. */
export async function* readBackupFile(
  path: string,
  key: Buffer | undefined,
): AsyncGenerator<BackupRecord> {
  const { head, lines } = await readHead(path);
  const stored = createReadStream(path, { start: lines.length });
  const { encryption } = head;
  if (encryption && !key) throw new Error("The backup is encrypted: give its key as BACKUP_KEY.");
  const sealed = encryption && key ? unseal(stored, fileKey(key, encryption.salt), lines) : stored;
  const plain = createGunzip();
  const filling = pipeline(Readable.from(sealed, { objectMode: false }), plain);
  filling.catch((error: unknown) => plain.destroy(error as Error));
  try {
    yield* decodeRecords(plain as AsyncIterable<Buffer>);
    await filling;
  } catch (error) {
    throw isDamage(error)
      ? new Error("The backup is damaged or cut short.", { cause: error })
      : error;
  } finally {
    stored.destroy();
    plain.destroy();
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
