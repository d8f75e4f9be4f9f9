import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";

/** Prints how much longer a call takes after collections without one: the shortest of 40 rounds ran undisturbed. */
const measuring = `
  const ticks = (count) => new Promise((done) => {
    const startedAt = performance.now();
    const next = () => {
      count -= 1;
      if (count > 0) return process.nextTick(next);
      done(performance.now() - startedAt);
    };
    process.nextTick(next);
  });
  const least = async () => {
    const rounds = [];
    while (rounds.length < 40) rounds.push(await ticks(5000));
    return Math.min(...rounds);
  };
  const pause = () => new Promise((done) => setTimeout(done, 5));
  const before = await least();
  for (let round = 0; round < 4; round += 1) {
    await pause();
    gc();
  }
  console.log((await least()) / before);
`;

test("a tick costs the same after full collections", () => {
  const file = readFileSync(join(import.meta.dirname, "tick-shape.ts"), "utf8");
  const { code } = transformSync(file, { loader: "ts" });
  const program = `${code}\nkeepTickShape();\n${measuring}`;
  const args = ["--expose-gc", "--single-threaded-gc", "--input-type=module", "--eval", program];
  expect(Number(execFileSync(process.execPath, args, { encoding: "utf8" }))).toBeLessThan(3);
});
