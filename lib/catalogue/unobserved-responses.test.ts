import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { endpoint } from "@/lib/protocol/endpoint";
import { compareUnobserved, unobservedResponses } from "./testing/unobserved-responses";

const declared = endpoint({
  operation: "GET /v1/thing",
  summary: "Show a thing",
  credentials: ["session"],
  isConditional: true,
  codes: ["user.not-found"],
});

test("what is declared and no test got is found: success, 304 and each code, but for a server in trouble", () => {
  const all = unobservedResponses([declared], new Set());
  expect(all).toEqual(
    expect.arrayContaining([
      "GET /v1/thing 200",
      "GET /v1/thing 304",
      "GET /v1/thing 404 user.not-found",
      "GET /v1/thing 401 auth.credentials-missing",
    ]),
  );
  expect(all.filter((line) => / 50[03]/.test(line))).toEqual([]);
  expect(unobservedResponses([declared], new Set(all))).toEqual([]);
});

test("the list of what no test gets must name exactly that", () => {
  expect(compareUnobserved(["a", "b"], ["a", "b"])).toEqual([]);
  expect(compareUnobserved(["a", "b"], ["a"])).toEqual([expect.stringMatching(/^b: declared/)]);
  expect(compareUnobserved(["a"], ["a", "b"])).toEqual([expect.stringMatching(/^b: observed/)]);
});

test("the list only becomes shorter", () => {
  const file = join(projectRoot(), "lib/catalogue/testing/unobserved-responses.txt");
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  expect(lines.length).toBeLessThanOrEqual(49);
});
