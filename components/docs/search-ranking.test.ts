import { expect, test } from "vitest";
import { searchIndex } from "@/lib/catalogue/docs-search";
import { prepare, search } from "./search-results";

const index = prepare(searchIndex());
const first = (query: string) => search(index, query)[0]?.href;

test("a search finds the guide, the section, the operation and the error that it names", () => {
  expect(first("quick start")).toBe("/docs/guides/quick-start");
  expect(first("rotate a key")).toBe("/docs/guides/api-keys#rotate-a-key");
  expect(first("get /v1/user/list")).toBe("/docs/get-v1-user-list");
  expect(first("user.locked")).toBe("/docs/errors/user.locked");
});

test("every word of the query must match, and an empty query has no results", () => {
  expect(search(index, "etag zebra")).toEqual([]);
  expect(search(index, "  ")).toEqual([]);
  expect(search(index, "key").length).toBe(8);
});

test("a search answers within 50 ms, whatever is typed", () => {
  const queries = ["a", "e e e e e e e e", "api key rotation overlap", "x".repeat(1000)];
  // Processor time: wall time would include other processes.
  const startedAt = process.cpuUsage();
  for (let round = 0; round < 20; round += 1) for (const query of queries) search(index, query);
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / 1000 / (20 * queries.length)).toBeLessThan(50);
});

test("the index is small: at most 40 KiB compressed", async () => {
  const { brotliCompressSync } = await import("node:zlib");
  expect(brotliCompressSync(JSON.stringify(searchIndex())).length).toBeLessThan(40 * 1024);
});
