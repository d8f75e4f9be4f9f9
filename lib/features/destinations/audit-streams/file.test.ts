import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendToFile } from "./file";
import { batchOf, type StreamedEntry } from "./stream";
import { numbersOf } from "./testing/receivers";

let root: string;
let outside: string;
const day = "2026-11-22";
const stream = {
  tenantId: "acme",
  streamId: "ast_1",
  settings: { kind: "file", folder: "siem" },
} as const;
const path = () => join(root, "acme", "siem", `ast_1-${day}.ndjson`);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "streams-"));
  outside = await mkdtemp(join(tmpdir(), "outside-"));
  vi.stubEnv("AUDIT_STREAM_FOLDER", root);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([root, outside].map((folder) => rm(folder, { recursive: true })));
});

const entry = (seq: number, note = "") =>
  ({
    id: `aud_${seq}`,
    occurredAt: `${day}T10:00:00.000Z`,
    actor: { type: "user", id: "user_1" },
    action: "user.updated",
    target: { type: "user", id: "user_2" },
    changes: { note: { after: note } },
    requestId: "req_1",
    result: "success",
    chain: { tenant: "acme", seq },
  }) as unknown as StreamedEntry;

const sent = (...seqs: number[]) => sendToFile(stream, batchOf(seqs.map((seq) => entry(seq))));
const lines = async () => numbersOf([{ text: await readFile(path(), "utf8") }]);

test("entries are in the file of their day, one line each, in a folder of the tenant", async () => {
  expect((await sent(1, 2)).isDelivered).toBe(true);
  expect((await sent(3)).isDelivered).toBe(true);
  expect(await lines()).toEqual([1, 2, 3]);
});

test("an incomplete line of a killed process is overwritten", async () => {
  await sent(1);
  const whole = await readFile(path(), "utf8");
  await writeFile(path(), `${whole}{"id":"aud_2","occ${"x".repeat(200_000)}`);
  expect((await sent(2, 3)).isDelivered).toBe(true);
  expect(await lines()).toEqual([1, 2, 3]);
});

test("a test writes a separate file, with the newest test only", async () => {
  const test = { ...entry(0), chain: undefined } as unknown as StreamedEntry;
  await sendToFile(stream, batchOf([test]));
  await sendToFile(stream, batchOf([test]));
  const text = await readFile(join(root, "acme", "siem", "ast_1-test.ndjson"), "utf8");
  expect(text.trim().split("\n")).toHaveLength(1);
});

test("without the setting, or without its folder, nothing is written", async () => {
  vi.stubEnv("AUDIT_STREAM_FOLDER", "");
  expect(await sent(1)).toMatchObject({
    isDelivered: false,
    problem: expect.stringContaining("AUDIT_STREAM_FOLDER"),
  });
  vi.stubEnv("AUDIT_STREAM_FOLDER", join(root, "missing"));
  expect(await sent(1)).toMatchObject({ isDelivered: false });
});

test.each([
  ["the folder of the tenant", async () => symlink(outside, join(root, "acme"))],
  [
    "the folder of the stream",
    async () => {
      await mkdir(join(root, "acme"));
      await symlink(outside, join(root, "acme", "siem"));
    },
  ],
  [
    "the file",
    async () => {
      await mkdir(join(root, "acme", "siem"), { recursive: true });
      await symlink(join(outside, "target"), path());
    },
  ],
  [
    "the file, by a hard link",
    async () => {
      await mkdir(join(root, "acme", "siem"), { recursive: true });
      await writeFile(join(outside, "target"), "kept\n");
      await link(join(outside, "target"), path());
    },
  ],
])("a link in the place of %s leads nowhere", async (_, plant) => {
  await plant();
  const attempt = await sent(1);
  expect(attempt.isDelivered).toBe(false);
  expect(attempt.problem).toContain("stands in the way");
  const left = await readdir(outside);
  for (const name of left) expect(await readFile(join(outside, name), "utf8")).toBe("kept\n");
});
