import { expect, test } from "vitest";
import { maxNotedIds, notedIds, readNotedIds, withNoted } from "./noted";

test("a value is set, replaced and removed, and everything else is unchanged", () => {
  const peek = (id: string) => new Map([["peek", id]]);
  expect(withNoted("", peek("user_1"))).toBe("?peek=user_1");
  expect(withNoted("?q=a%2Cb&hide=login,site", peek("user_1"))).toBe(
    "?q=a%2Cb&hide=login,site&peek=user_1",
  );
  expect(withNoted("?peek=user_1&q=a", peek("user_2"))).toBe("?q=a&peek=user_2");
  expect(withNoted("?peek=user_1&q=a", peek(""))).toBe("?q=a");
  expect(withNoted("?peek=user_1", peek(""))).toBe("");
  expect(withNoted("?peek=user_1&q=a", peek("user_1")), "what is there stays in its place").toBe(
    "?peek=user_1&q=a",
  );
  expect(withNoted("?selected=a%2Cb", new Map([["selected", "a,b"]]))).toBe("?selected=a%2Cb");
});

test("notes have one order, independent of the order of noting", () => {
  const both = "?q=a&selected=user_1,user_3&peek=user_3";
  expect(withNoted("?q=a&peek=user_3", new Map([["selected", "user_1,user_3"]]))).toBe(both);
  expect(withNoted("?q=a&selected=user_1,user_3", new Map([["peek", "user_3"]]))).toBe(both);
  expect(withNoted("?peek=user_2&q=a&selected=user_1,user_3", new Map([["peek", "user_3"]]))).toBe(
    both,
  );
});

test("ids are read back unchanged", () => {
  expect(readNotedIds(notedIds(["user_1", "user_2"]))).toEqual(["user_1", "user_2"]);
  expect(readNotedIds(null)).toEqual([]);
  expect(readNotedIds(",")).toEqual([]);
});

test("an id cannot add a parameter", () => {
  expect(withNoted("", new Map([["selected", notedIds(["a&do=lock", "b"])]]))).toBe(
    "?selected=a%26do%3Dlock,b",
  );
});

test("too many ids are left out of the address, and at most the maximum is read", () => {
  const ids = Array.from({ length: maxNotedIds + 1 }, (_, at) => `user_${at}`);
  expect(notedIds(ids)).toBe("");
  expect(readNotedIds(ids.join(","))).toHaveLength(maxNotedIds);
});
