import { expect, test } from "vitest";
import { takeTurns } from "./take-turns";

const work = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test("of several long loops one continues in each turn of the event loop, in order", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const resumed: { turn: number; loop: number }[] = [];
  const long = async (loop: number) => {
    const turn = takeTurns();
    for (let n = 0; n < 5; n += 1) {
      work(2);
      await turn();
      resumed.push({ turn: turns, loop });
    }
  };
  await Promise.all([0, 1, 2].map(long));
  isOver = true;
  expect(new Set(resumed.map(({ turn }) => turn)).size).toBe(15);
  expect(resumed.map(({ loop }) => loop)).toEqual(Array.from({ length: 15 }, (_, n) => n % 3));
});
