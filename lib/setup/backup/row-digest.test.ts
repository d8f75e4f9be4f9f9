import { expect, test } from "vitest";
import { digestOf } from "./testing/stores";

test("the checksum of rows depends on every row, but not on their order", () => {
  const rows = ["a\t1", "b\t2", "", "b\t2", "\\N\t\\n"];
  expect(digestOf(rows, 3)).toBe(digestOf(rows.toReversed()));
  expect(digestOf(["a\t1", "b\t2", "", "\\N\t\\n"])).not.toBe(digestOf(rows));
  expect(digestOf(["a\t1", "b\t3", "", "b\t2", "\\N\t\\n"])).not.toBe(digestOf(rows));
});
