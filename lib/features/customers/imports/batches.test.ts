import { describe, expect, test } from "vitest";
import {
  type Batch,
  batchesOf,
  maxEmptyLines,
  maxLineBytes,
  numberedLines,
  tooLongLine,
} from "./batches";

async function* inChunks(text: string | Buffer, size: number) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function cut(text: string | Buffer, size = 65_536): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of batchesOf(inChunks(text, size))) batches.push(batch);
  return batches;
}
const linesOf = (batches: Batch[]) =>
  batches.flatMap(numberedLines).map(({ line, bytes }) => [line, bytes.toString()]);

describe("the lines of a body", () => {
  test.each([1, 2, 3, 7, 65_536])("are the same in chunks of %i bytes", async (size) => {
    const text = '\n{"a":1}\r\n \t\n{"b":2}\n\n\n{"c":3}';
    expect(linesOf(await cut(text, size))).toEqual([
      [2, '{"a":1}\r'],
      [4, '{"b":2}'],
      [7, '{"c":3}'],
    ]);
  });

  test("keep their numbers across batches", async () => {
    const text = `\n${'{"a":1}\n'.repeat(2500)}`;
    const batches = await cut(text);
    expect(batches.map(({ firstLine, items }) => [firstLine, items])).toEqual([
      [1, 999],
      [1001, 1000],
      [2001, 501],
    ]);
    expect(linesOf(batches).at(-1)).toEqual([2501, '{"a":1}']);
  });

  test("that are too long are marked, and none of their bytes are stored", async () => {
    const long = "x".repeat(maxLineBytes + 1);
    const [batch] = await cut(`1\n${long}\n2\n`, 1000);
    expect(batch?.content).toEqual(
      Buffer.concat([Buffer.from("1\n"), tooLongLine, Buffer.from("\n2\n")]),
    );
  });
});

describe("a body of blanks", () => {
  test.each([
    ["of line feeds", "\n".repeat(maxEmptyLines + 1)],
    [
      "with a line behind",
      `${"\n".repeat(maxEmptyLines + 1)}${`{"login":"${"x".repeat(100_000)}"}`}`,
    ],
    ["with lines between", '{"login":"ada@example.com"}\n\n'.repeat(maxEmptyLines + 1)],
  ])("%s is rejected for its empty lines", async (_, text) => {
    await expect(cut(text)).rejects.toMatchObject({
      code: "request.validation-failed",
      message: "The body has more than 10000 empty lines. Remove them.",
    });
  });

  test("is rejected once it has more blank bytes than others", async () => {
    await expect(cut(`{"a":1}\n${`${" ".repeat(9999)}\n`.repeat(7)}`)).rejects.toMatchObject({
      message: "The body has more blank bytes than others. Remove blank lines.",
    });
  });

  test("may have as many empty lines as the limit", async () => {
    const batches = await cut(`${"\n".repeat(maxEmptyLines)}{"a":1}`);
    expect(linesOf(batches)).toEqual([[maxEmptyLines + 1, '{"a":1}']]);
  });

  test("is not read further once it is rejected", async () => {
    let chunks = 0;
    async function* endless() {
      for (;;) {
        chunks += 1;
        yield Buffer.alloc(65_536, "\n");
      }
    }
    const read = async () => {
      for await (const batch of batchesOf(endless())) expect(batch.items).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toMatchObject({ code: "request.validation-failed" });
    expect(chunks).toBe(1);
  });
});

test("yields to the event loop after each chunk, and after each 64 KiB of a larger one", async () => {
  const text = Buffer.alloc(10 * 65_536, `"${"x".repeat(98)}"\n`);
  for (const size of [65_536, text.length]) {
    let turns = 0;
    let isDone = false;
    const look = () => {
      turns += 1;
      if (!isDone) setImmediate(look);
    };
    setImmediate(look);
    await cut(text, size);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  }
});
