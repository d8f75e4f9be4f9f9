import { expect, test } from "vitest";
import { type Outcome, runEach } from "./run-each";

test("every item has one result, a failure stops none, and at most four run at once", async () => {
  let [running, most] = [0, 0];
  const results: Outcome<number>[] = [];
  const items = Array.from({ length: 20 }, (_, n) => n);
  await runEach(
    items,
    async (item) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      if (item % 5 === 0) throw new Error(`no ${item}`);
    },
    (outcome) => results.push(outcome),
  );
  expect(results.map(({ item }) => item).sort((a, b) => a - b)).toEqual(items);
  expect(
    results
      .filter(({ error }) => error)
      .map(({ error }) => error?.message)
      .sort(),
  ).toEqual(["no 0", "no 10", "no 15", "no 5"]);
  expect(most).toBe(4);
});
