import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { toStream } from "@/lib/protocol/log-destination";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-destination-"));
const script = join(folder, "writer.mjs");

/** Writes 20 MB of lines to standard output from a timer, then prints the buffered bytes on standard error. Blocking would hang. */
const writer = `
import { toStream } from "@/lib/protocol/log-destination";
const destination = toStream(process.stdout);
let lines = 0;
const beat = setInterval(() => {
  for (let count = 0; count < 200; count += 1) destination.write("x".repeat(999) + "\\n");
  if ((lines += 200) >= 20_000) finish();
}, 5);
async function finish() {
  clearInterval(beat);
  await destination.flush(100);
  process.stderr.write(JSON.stringify({ waiting: process.stdout.writableLength }));
  process.exit(0);
}`;

beforeAll(async () => {
  await build({
    stdin: { contents: writer, resolveDir: projectRoot(), loader: "ts" },
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "@": projectRoot() },
    logLevel: "error",
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

async function write(stdout: "pipe" | number) {
  const child = spawn(process.execPath, [script], { stdio: ["ignore", stdout, "pipe"] });
  let told = "";
  child.stderr?.on("data", (text) => {
    told += text;
  });
  // Its last output may arrive only after its exit.
  const said = child.stderr ? once(child.stderr, "end") : undefined;
  const [[code]] = await Promise.all([once(child, "exit"), said]);
  return { code, told };
}

test("a reader that stopped reading blocks no process, and the buffer for it is bounded", async () => {
  const { code, told } = await write("pipe");
  expect(code).toBe(0);
  const { waiting } = JSON.parse(told);
  expect(waiting).toBeLessThan(5 * 1024 * 1024);
});

test("a full disk under standard output stops no process", async () => {
  const { code, told } = await write(openSync("/dev/full", "w"));
  expect(code).toBe(0);
  expect(JSON.parse(told)).toMatchObject({ waiting: 0 });
});

test("lost lines are counted once there is space again", () => {
  let isFull = true;
  const written: string[] = [];
  // Like standard output, it accepts the next write after a failed one.
  const stream = {
    writableLength: 0,
    on: () => undefined,
    write(text: string, done: (error?: Error) => void) {
      if (!isFull) written.push(text);
      done(isFull ? new Error("no space left on device") : undefined);
    },
  };
  const destination = toStream(stream as unknown as NodeJS.WriteStream);
  destination.write("one\n");
  destination.write("two\n");
  isFull = false;
  destination.write("three\n");
  expect(written.join("")).toMatch(/"lines":2,.*were lost"}\nthree\n$/);
});
