import { expect, test } from "vitest";
import { negotiate, requireMediaType, wantsProblem } from "./http-fields";

const json = ["application/json"];

test.each([
  null,
  "*/*",
  "application/*",
  "text/html, application/json;q=0.1",
  "APPLICATION/JSON; charset=utf-8",
  "application/problem+json",
])("Accept %j gets JSON", (accept) => {
  expect(negotiate(accept, json)).toBe("application/json");
});

test.each([
  "text/html",
  "application/json;q=0",
  "*/*, application/json;q=0",
  "application/xml, text/*",
])("406: Accept %j", (accept) => {
  expect(() => negotiate(accept, json)).toThrowError(
    expect.objectContaining({ code: "request.not-acceptable" }),
  );
});

test.each([
  ["application/problem+json", true],
  ["application/json, application/problem+json", true],
  ["application/json;q=0.5, Application/Problem+JSON", true],
  ["application/problem+json;q=0, application/json", false],
  ["application/json, application/problem+json;q=0.1", false],
  ["*/*", false],
  [null, false],
])("Accept %j requests problem+json: %j", (accept, wanted) => {
  expect(wantsProblem(accept)).toBe(wanted);
});

test("the caller's order decides between the media types of an operation", () => {
  const produces = ["application/json", "text/csv"];
  expect(negotiate("text/csv", produces)).toBe("text/csv");
  expect(negotiate("text/csv;q=0.5, application/json;q=0.4", produces)).toBe("text/csv");
  expect(negotiate("*/*", produces)).toBe("application/json");
});

test.each([
  [{ "content-type": "text/plain" }],
  [{}],
  [{ "content-type": "application/json; charset=latin1" }],
  [{ "content-type": "application/json", "content-encoding": "gzip" }],
])("415: a body with %j", (headers) => {
  expect(() =>
    requireMediaType(new Headers(headers as Record<string, string>), "application/json"),
  ).toThrowError(expect.objectContaining({ code: "request.unsupported-media-type" }));
});

test("JSON in UTF-8 may declare its charset", () => {
  expect(() =>
    requireMediaType(
      new Headers({ "content-type": 'application/json; charset="UTF-8"' }),
      "application/json",
    ),
  ).not.toThrow();
});
