import { expect, test } from "vitest";
import { endpoint } from "@/lib/protocol/endpoint";
import { unobservedResponses } from "./testing/unobserved-responses";

const declared = endpoint({
  operation: "GET /v1/thing",
  summary: "Show a thing",
  credentials: ["session"],
  conditional: "tag",
  codes: ["user.not-found"],
});

test("finds declared responses that no test got: success, 304 and each code, except of a failing server", () => {
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
