import { describe, expect, test, vi } from "vitest";
import { readAddress, unreadable } from "./addresses";
import { viewParameters } from "./values";

const read = (query: string) => readAddress(new URLSearchParams(query)).toString();

/** Valid values by parameter name, on every page. */
const right: Record<string, string> = {
  zone: "Asia/Kolkata",
  from: "2026-03-02T09:00:00.000Z",
  to: "2026-03-09",
  size: "100",
  lock: "true",
  compare: "false",
  live: "true",
};

/** Values that no parameter may have: NUL, invalid UTF-8, and too long texts. */
const wrongEverywhere = ["%00", "a%00b", "%ff", "%ED%A0%80", "x".repeat(3000)];

const parameters = [...new Set(Object.values(viewParameters).flat())];

test.each(parameters)("%s: a valid value is unchanged, an invalid one is absent", (name) => {
  const query = new URLSearchParams({ [name]: right[name] ?? "Grüße, 1%" }).toString();
  expect(read(query)).toBe(query);
  expect(unreadable(new URLSearchParams(query))).toEqual([]);
  for (const wrong of wrongEverywhere) {
    const kept = read(`a=b&${name}=${wrong}`);
    expect(kept).toBe("a=b");
    expect(unreadable(new URLSearchParams(`${name}=${wrong}`))).toEqual([name]);
  }
});

test("thousands of parameters are each read once", () => {
  const given = new URLSearchParams(Array.from({ length: 2000 }, (_, n) => [`n${n}`, "a"]));
  const lookUps = (["get", "getAll", "has"] as const).map((name) =>
    vi.spyOn(URLSearchParams.prototype, name),
  );
  expect(unreadable(given)).toEqual([]);
  expect(unreadable(new URLSearchParams("a=1&b=\0&a=1&c=&c="))).toEqual(["a", "b", "c"]);
  expect(lookUps.flatMap(({ mock }) => mock.calls)).toEqual([]);
  vi.restoreAllMocks();
});

describe("parameters with a format", () => {
  test.each([
    ["zone=Foo/Bar", "zone=UTC"],
    ["zone=", "zone="],
    ["from=garbage&to=2026", ""],
    ["from=2026-02-30", ""],
    ["from=0000-01-01T00:00:00Z", ""],
    ["from=2026-03-09&to=2026-03-02&q=a", "q=a"],
    ["from=2026-03-02&to=2026-03-02", "from=2026-03-02&to=2026-03-02"],
    ["within=2026-03-02/2026-03-01", ""],
    ["within=a/b", ""],
    ["page=-1", ""],
    ["page=0", ""],
    ["page=1e9&size=abc", ""],
    ["page=users", "page=users"],
    ["cursor=nonsense", ""],
    ["cursor=WyJhIl0", "cursor=WyJhIl0"],
    ["lock=perhaps", ""],
    ["q=a&q=b", "q=a"],
    ["%00=a&q=b", "q=b"],
    ["group=&range=", "group=&range="],
  ])("%s is read as %s", (query, kept) => {
    expect(read(query)).toBe(kept);
    expect(read(kept)).toBe(kept);
  });
});
