import { pbkdf2Sync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verificationOf } from "@/lib/access/password-hashes";
import { batchesOf, numberedLines } from "./batches";
import { parseLine } from "./line";

const rules = { siteId: "one", siteIds: new Set(["one"]), now: new Date(), maxHashCost: 4 };
const mark = "\ufeff";

async function* inPieces(file: Buffer, size: number) {
  for (let from = 0; from < file.length; from += size) yield file.subarray(from, from + size);
}

async function outcomesOf(file: string | Buffer, size = 7) {
  const found = [];
  for await (const batch of batchesOf(inPieces(Buffer.from(file), size)))
    for (const line of numberedLines(batch)) found.push(parseLine(line, rules));
  return found;
}

const row = (login: string) => ({ row: { login } });

describe("the file", () => {
  test.each([1, 2, 3, 1000])(
    "may begin with a byte order mark, in pieces of %i bytes",
    async (size) => {
      const file = `${mark}{"login":"ann"}\n{"login":"bob"}\n`;
      expect(await outcomesOf(file, size)).toMatchObject([row("ann"), row("bob")]);
      expect(await outcomesOf(`${mark}\n{"login":"ann"}\n`, size)).toMatchObject([
        { line: 2, ...row("ann") },
      ]);
    },
  );

  test("reports a byte order mark in any other line", async () => {
    const [, second] = await outcomesOf(`{"login":"ann"}\n${mark}{"login":"bob"}\n`);
    expect(second).toMatchObject({
      code: "request.invalid-json",
      detail: expect.stringContaining("byte order mark"),
    });
  });

  test.each(['[{"login":"ann"},\n{"login":"bob"}]', ' \n\t[\n{"login":"bob"}\n]', `${mark}[\n`])(
    "is rejected as a whole if it is an array: %j",
    async (file) => {
      await expect(outcomesOf(file)).rejects.toMatchObject({
        code: "request.invalid-json",
        message: expect.stringContaining("one JSON object a line, without brackets and commas"),
      });
    },
  );

  test("may contain a line of one zero byte, which is not JSON", async () => {
    const [, second] = await outcomesOf(Buffer.from('{"login":"ann"}\n\0\n'));
    expect(second).toMatchObject({ line: 2, code: "request.invalid-json" });
  });
});

const outcomeOf = (line: object) =>
  parseLine({ line: 1, bytes: Buffer.from(JSON.stringify(line)) }, rules);

describe("a line", () => {
  test("may have null for absent fields, at any depth", () => {
    const line = { login: "ann", birthDate: null, name: { first: null, last: "Lee" } };
    expect(outcomeOf(line)).toMatchObject({ row: { details: { name: { last: "Lee" } } } });
    expect(outcomeOf({ login: null })).toMatchObject({ pointer: "/login" });
  });

  test("may be a line of an export: its id is ignored", () => {
    const line = { id: "cust_01", login: "ann", siteIds: ["one"], addresses: { addresses: [] } };
    expect(outcomeOf(line)).toMatchObject(row("ann"));
  });

  test("may have hashes with and without padding", () => {
    const salt = Buffer.from("a salt of 16 byt");
    const hash = pbkdf2Sync("secret", salt, 1000, 32, "sha256");
    const base64 = [salt, hash].map((bytes) => bytes.toString("base64"));
    const padded = `$pbkdf2-sha256$i=1000$${base64.join("$")}`;
    expect(padded).toContain("=$");
    expect(outcomeOf({ login: "ann", passwordHash: padded })).toMatchObject(row("ann"));
    expect(verificationOf(padded)).toEqual(verificationOf(padded.replace(/=+(?=\$|$)/g, "")));
  });

  test("the error says whether the format of its hash or the cost is wrong", () => {
    const hash = "c2Vh".repeat(8);
    expect(outcomeOf({ login: "ann", passwordHash: "md5:x" })).toMatchObject({
      pointer: "/passwordHash",
      detail: expect.stringContaining("modular-crypt or PHC format"),
    });
    expect(
      outcomeOf({ login: "ann", passwordHash: `$pbkdf2-sha256$i=900000$${hash}$${hash}` }),
    ).toMatchObject({ detail: expect.stringContaining("too costly") });
  });
});
