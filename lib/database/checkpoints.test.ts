import { expect, test } from "vitest";
import { onWork } from "@/lib/protocol/per-process";
import { checkpointsBetween, noteCheckpoints } from "./checkpoints";
import { db } from "./open";
import { onServer } from "./testing/databases";

test("a checkpoint takes the milliseconds since the last reading, several take the mean", () => {
  const before = { done: 7, writeMs: 1000, syncMs: 50 };
  const none = { count: 0, writeMs: 0, syncMs: 0 };
  // A checkpoint in progress, whose time is not counted yet, or one without work.
  expect(checkpointsBetween(before, { ...before, done: 8 })).toEqual(none);
  expect(checkpointsBetween(before, { done: 7, writeMs: 1900, syncMs: 80 })).toEqual({
    ...{ count: 1, writeMs: 900, syncMs: 30 },
  });
  expect(checkpointsBetween(before, { done: 10, writeMs: 1900, syncMs: 80 })).toEqual({
    ...{ count: 3, writeMs: 300, syncMs: 10 },
  });
  expect(checkpointsBetween(before, { done: 1, writeMs: 20, syncMs: 1 })).toEqual(none);
});

test("a checkpoint of the real server is noted", async () => {
  const noted: string[] = [];
  onWork((work) => noted.push(work));
  await noteCheckpoints();
  // The time of a checkpoint is in whole milliseconds, and is reported shortly after its end.
  while (noted.length === 0) {
    await db().$client.query(
      "create temporary table if not exists filled (n int); insert into filled select generate_series(1, 10000)",
    );
    await onServer(process.env.DATABASE_URL ?? "", "checkpoint");
    await noteCheckpoints();
  }
  expect(new Set(noted)).toEqual(new Set(["checkpoint-write", "checkpoint-sync"]));
});
