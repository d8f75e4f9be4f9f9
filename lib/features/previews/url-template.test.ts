import { describe, expect, test } from "vitest";
import { expandTemplate, isFrameable, parseTemplate, templateFault } from "./url-template";

describe("the grammar of RFC 6570", () => {
  test.each([
    "",
    "http://example.com/dictionary/{term:1}/{term}",
    "a%41b",
    "a😀b",
    "a'b",
    "{+var}{#var}{.var}{/var}{;var}{?var}{&var}",
    "{var*}",
    "{x,y}",
    "{a.b}",
    "{%41}",
    "{v:1000}",
  ])("takes %j", (template) => {
    expect(parseTemplate(template)).toBeDefined();
  });

  test.each([
    "{",
    "{term:1}/{term",
    "{}",
    "{a,,b}",
    "{a,}",
    "{,+var}",
    "{v:0}",
    "{v:01}",
    "{v:10000}",
    "foo}bar",
    "{a..b}",
    "{var=def}",
    "{!v}",
    "{{a}}",
    "a b",
    "a\x7fb",
    'a"b',
    "a%4",
    "a^b",
    "a|b",
  ])("rejects %j", (template) => {
    expect(parseTemplate(template)).toBeUndefined();
  });
});

describe("expansion", () => {
  const values = { entityType: "product", slug: "a b/ü€?", locale: "" };
  test.each([
    ["https://s/{slug}", "https://s/a%20b%2F%C3%BC%E2%82%AC%3F"],
    ["https://s/{+slug}", "https://s/a%20b/%C3%BC%E2%82%AC?"],
    ["https://s/{slug:3}", "https://s/a%20b"],
    ["https://s{/entityType,slug:1}", "https://s/product/a"],
    ["https://s/{?entityType,locale}", "https://s/?entityType=product&locale="],
    ["https://s/{;entityType,locale}", "https://s/;entityType=product;locale"],
    ["https://s/?a=1{&entityType}", "https://s/?a=1&entityType=product"],
    ["https://s/{#entityType,slug:1}", "https://s/#product,a"],
    ["https://s/{.entityType,slug:1}", "https://s/.product.a"],
    ["https://s/{unknown}{?unknown}x", "https://s/x"],
    ["https://s/ü%20", "https://s/%C3%BC%20"],
    ["https://s/{constructor}", "https://s/"],
  ])("%s", (template, address) => {
    expect(expandTemplate(template, values)).toBe(address);
  });

  test("characters outside the BMP are never cut in half", () => {
    expect(expandTemplate("{slug:1}", { slug: "😀x" })).toBe("%F0%9F%98%80");
  });
});

describe("what can be framed", () => {
  test.each([
    ["https://shop.example/{locale}/{entityType}/{slug}", undefined],
    ["http://localhost:3000/sample-storefront.html{?slug}", undefined],
    ["http://127.0.0.1:8080/{slug}", undefined],
    ["https://{locale}.shop.example/{slug}", undefined],
    ["http://shop.example/{slug}", "must begin with https:// and a host, or with http://localhost"],
    [
      "http://localhost.evil.example/{slug}",
      "must begin with https:// and a host, or with http://localhost",
    ],
    [
      "https://user:secret@shop.example/",
      "must begin with https:// and a host, or with http://localhost",
    ],
    ["javascript:alert(1)", "must begin with https:// and a host, or with http://localhost"],
    ["{+slug}", "must begin with https:// and a host, or with http://localhost"],
    ["/{slug}", "must begin with https:// and a host, or with http://localhost"],
    ["", "must begin with https:// and a host, or with http://localhost"],
    ["https://shop.example/{category}", "may only use the variables entityType, slug, locale"],
    ["https://shop.example/{slug", "must be a URI template (RFC 6570)"],
  ])("%s", (template, fault) => {
    expect(templateFault(template)).toBe(fault);
  });

  test("an address is checked again after its variables are filled in", () => {
    expect(isFrameable("https://shop.example/")).toBe(true);
    expect(isFrameable("http://127.0.0.1.evil.example/")).toBe(false);
    expect(isFrameable("nonsense")).toBe(false);
  });
});
