import { expect, test } from "vitest";
import { createAdmission, type LoadClass } from "./admission";
import { createTurnShare } from "./fair-queue";

let now = 0;
const turns: (() => void)[] = [];
const endTurn = () => {
  for (const run of turns.splice(0)) run();
};
const openTurns = () => {
  now = 0;
  const share = (next: () => void, clock: () => number) =>
    createTurnShare(next, clock, (run) => turns.push(run));
  const admission = createAdmission(() => now, share);
  const begun: string[] = [];
  const enter = (name: LoadClass, id: string) =>
    admission.admit(
      name,
      () => begun.push(id),
      () => begun.push(`refuse ${id}`),
    );
  return { begun, enter };
};

test("a turn starts 48 requests; later ones start in the next turns, in order, and health at once", () => {
  const { begun, enter } = openTurns();
  for (let n = 1; n <= 100; n += 1) enter("management", String(n));
  enter("health", "health");
  expect(begun).toEqual([...Array.from({ length: 48 }, (_, n) => String(n + 1)), "health"]);
  endTurn();
  expect(begun).toHaveLength(97);
  endTurn();
  expect(begun.at(-1)).toBe("100");
  endTurn();
  expect(begun).toHaveLength(101);
});

test("a turn starts no more once its requests have taken 4 ms, and no class uses every turn", () => {
  const { begun, enter } = openTurns();
  enter("management", "m1");
  now = 5;
  for (const id of ["m2", "m3"]) enter("management", id);
  enter("consumer", "c1");
  expect(begun).toEqual(["m1"]);
  endTurn();
  expect(begun).toEqual(["m1", "c1", "m2", "m3"]);
});
