import { describe, expect, test } from "vitest";
import { safeRedirect } from "./portal";

const base = "https://portal.example";

describe("the redirect target after signing in", () => {
  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "https://evil.example/t/acme",
    "https://portal.example.evil.example",
    "https://portal.example@evil.example",
    "https://portal.example:444/t/acme",
    "http://portal.example/t/acme",
    "http://localhost:4642.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
  ])("never elsewhere: %s", (url) => {
    expect(safeRedirect(url, base)).toBe(base);
  });

  test.each([
    ["/t/acme/users?q=a#b", "https://portal.example/t/acme/users?q=a#b"],
    ["https://portal.example/t/acme", "https://portal.example/t/acme"],
    [
      "/t/acme?next=https://evil.example",
      "https://portal.example/t/acme?next=https://evil.example",
    ],
  ])("to a page of this site: %s", (url, page) => {
    expect(safeRedirect(url, base)).toBe(page);
  });
});
