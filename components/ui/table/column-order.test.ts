import { expect, test, vi } from "vitest";
import { inOrder } from "./chosen-columns";
import { keptColumns } from "./columns-cookie";
import { moveColumn } from "./columns-list";
import { readWidths, writeWidths } from "./widths";

const columns = ["name", "login", "email", "roles", "status"];

test.each([
  ["nothing wanted is the default", [], "name login email roles status"],
  [
    "the wanted order",
    ["name", "status", "roles", "email", "login"],
    "name status roles email login",
  ],
  ["the first column stays first", ["status", "name", "login"], "name status login email roles"],
  [
    "a new column follows its neighbour",
    ["name", "roles", "login", "status"],
    "name roles login email status",
  ],
  [
    "new columns that follow each other",
    ["name", "status", "login"],
    "name status login email roles",
  ],
  ["a new second column", ["name", "roles", "email", "status"], "name login roles email status"],
  [
    "an unknown column is ignored",
    ["name", "phone", "roles", "login", "email", "status"],
    "name roles login email status",
  ],
  [
    "a column named twice stands where it is named first",
    ["name", "status", "login", "status", "email", "roles"],
    "name status login email roles",
  ],
])("%s", (_, wanted, order) => {
  expect(inOrder(columns, wanted).join(" ")).toBe(order);
});

test("every order contains all columns", () => {
  for (const wanted of [["default"], [""], ["status"], ["email", "roles"], ["x", "name", "x"]])
    expect(inOrder(columns, wanted).toSorted()).toEqual(columns.toSorted());
});

test("a table without columns has no order", () => {
  expect(inOrder([], ["name"])).toEqual([]);
});

test.each([
  ["up", "email", -1, "name email login roles status"],
  ["down", "email", 1, "name login roles email status"],
  ["down to the end", "roles", 1, "name login email status roles"],
  ["not before the first column", "login", -1, "name login email roles status"],
  ["not past the end", "status", 1, "name login email roles status"],
  ["not the first column", "name", 1, "name login email roles status"],
  ["not an unknown column", "phone", 1, "name login email roles status"],
])("moves %s", (_, id, by, order) => {
  expect(moveColumn(columns, id, by).join(" ")).toBe(order);
});

test("widths are read from an address, within bounds, and those of unknown columns are ignored", () => {
  const text = "name.220,login.9,email.99999,phone.90,roles.x,status,.5";
  expect(readWidths(columns, text)).toEqual({ name: 220, login: 56 });
  expect(readWidths(columns, "name.5000")).toEqual({ name: 800 });
  expect(readWidths(columns, writeWidths({ name: 220, status: 90 }))).toEqual({
    name: 220,
    status: 90,
  });
});

test("the stored column settings have a maximum size: the oldest are removed first", () => {
  let cookie = "theme=dark; gatehouse-columns=users.hide%3Dlogin%2Cemail";
  vi.stubGlobal("document", {
    get cookie() {
      return cookie;
    },
    set cookie(text: string) {
      cookie = text.split(";")[0] ?? "";
    },
  });
  expect(keptColumns.text()).toBe("users.hide=login,email");
  for (let at = 0; at < 60; at++)
    keptColumns.keep({ [`table-${at}.widths`]: "7-1.220,7-2.330,7-3.440" });
  expect(cookie.length).toBeLessThan(1600);
  const kept = new URLSearchParams(keptColumns.text());
  expect(kept.get("table-59.widths")).toBe("7-1.220,7-2.330,7-3.440");
  expect(kept.has("users.hide")).toBe(false);
  vi.unstubAllGlobals();
});
