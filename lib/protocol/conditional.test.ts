import { describe, expect, test } from "vitest";
import {
  checkPreconditions,
  dependsOnState,
  etagOf,
  isNotModified,
  readPreconditions,
} from "./conditional";
import { ApiError } from "./errors";

const current = { etag: '"a1"', modifiedAt: new Date("2026-03-01T12:00:00.700Z") };
const read = (headers: Record<string, string>) => readPreconditions(new Headers(headers));

function write(headers: Record<string, string>): string {
  try {
    checkPreconditions(read(headers), current);
    return "goes on";
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.reason}` : String(error);
  }
}

describe("a write", () => {
  test.each([
    [{}, "goes on"],
    [{ "If-Match": '"a1"' }, "goes on"],
    [{ "If-Match": '"zz", "a1"' }, "goes on"],
    [{ "If-Match": ' , "zz" ,, "a1" ,' }, "goes on"],
    [{ "If-Match": '"with,comma", "a1"' }, "goes on"],
    [{ "If-Match": "*" }, "goes on"],
    [{ "If-Match": '"zz"' }, "412 If-Match"],
    [{ "If-Match": 'W/"a1"' }, "412 If-Match"],
    [{ "If-Match": '"A1"' }, "412 If-Match"],
    [{ "If-Match": "a1" }, "400 If-Match"],
    [{ "If-Match": "" }, "400 If-Match"],
    [{ "If-Match": '"a1", *' }, "400 If-Match"],
    [{ "If-Match": '"a1' }, "400 If-Match"],
    [{ "If-Match": '"a1" "b2"' }, "400 If-Match"],
    [{ "If-None-Match": "*" }, "412 If-None-Match"],
    [{ "If-None-Match": 'W/"a1"' }, "412 If-None-Match"],
    [{ "If-None-Match": '"zz"' }, "goes on"],
    [{ "If-Match": '"a1"', "If-None-Match": '"a1"' }, "412 If-None-Match"],
    [{ "If-Unmodified-Since": "Sun, 01 Mar 2026 12:00:00 GMT" }, "goes on"],
    [{ "If-Unmodified-Since": "Sun, 01 Mar 2026 11:59:59 GMT" }, "412 If-Unmodified-Since"],
    [{ "If-Unmodified-Since": "Sunday, 01-Mar-26 11:59:59 GMT" }, "412 If-Unmodified-Since"],
    [{ "If-Unmodified-Since": "Sun Mar  1 11:59:59 2026" }, "412 If-Unmodified-Since"],
    [{ "If-Unmodified-Since": "2026-03-01T11:59:59Z" }, "goes on"],
    [{ "If-Unmodified-Since": "Sun, 30 Feb 2025 11:59:59 GMT" }, "goes on"],
    [{ "If-Match": '"a1"', "If-Unmodified-Since": "Sun, 01 Mar 2020 11:59:59 GMT" }, "goes on"],
  ])("with %j %s", (headers, outcome) => {
    expect(write(headers)).toBe(outcome);
  });

  test("knows whether it depends on a state read before", () => {
    expect(dependsOnState(read({}))).toBe(false);
    expect(dependsOnState(read({ "If-Modified-Since": "Sun, 01 Mar 2026 12:00:00 GMT" }))).toBe(
      false,
    );
    expect(dependsOnState(read({ "If-Match": "*" }))).toBe(false);
    expect(dependsOnState(read({ "If-Match": '"a1"' }))).toBe(true);
  });
});

describe("a read", () => {
  test.each([
    [{}, false],
    [{ "If-None-Match": '"a1"' }, true],
    [{ "If-None-Match": 'W/"a1"' }, true],
    [{ "If-None-Match": '"zz", W/"a1"' }, true],
    [{ "If-None-Match": "*" }, true],
    [{ "If-None-Match": '"zz"' }, false],
    [{ "If-Modified-Since": "Sun, 01 Mar 2026 12:00:00 GMT" }, true],
    [{ "If-Modified-Since": "Sun, 01 Mar 2026 11:59:59 GMT" }, false],
    [{ "If-Modified-Since": "yesterday" }, false],
    [{ "If-None-Match": '"zz"', "If-Modified-Since": "Sun, 01 Mar 2026 12:00:00 GMT" }, false],
  ])("with %j is unmodified: %s", (headers, expected) => {
    expect(isNotModified(read(headers), current)).toBe(expected);
  });

  test("412: If-Match is checked before If-None-Match", () => {
    expect(() =>
      isNotModified(read({ "If-Match": '"zz"', "If-None-Match": '"a1"' }), current),
    ).toThrow(ApiError);
  });
});

test("an entity tag is strong, and differs for other bytes", () => {
  expect(etagOf('{"a":1}')).toMatch(/^"[\w-]{43}"$/);
  expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a": 1}'));
});
