import { describe, expect, test } from "vitest";
import { lineAt, nodeAt, parseDocument, propertyOf, setValue } from "./json-document";

const odd =
  '{\n\t"title" : "Home",\n\t"big":12345678901234567890.000,\n\n\t"list":[ 1,2 ],"a/b~c": {"x": true}\n}\n';

describe("a form edit keeps the rest of the text byte for byte", () => {
  test("replacing a value", () => {
    expect(setValue(odd, ["title"], '"Start"')).toBe(odd.replace('"Home"', '"Start"'));
  });
  test("adding a member, indented like the others", () => {
    expect(setValue(odd, ["enabled"], "true")).toBe(
      odd.replace('{"x": true}\n}', '{"x": true},\n\t"enabled" : true\n}'),
    );
  });
  test("adding to a document of one line", () => {
    expect(setValue('{"a":1.00}', ["b"], "2e400")).toBe('{"a":1.00,"b":2e400}');
  });
  test("adding to an empty document", () => {
    expect(JSON.parse(setValue("{}", ["title"], '"x"'))).toEqual({ title: "x" });
  });
  test("removes a member; removing a missing one changes nothing", () => {
    expect(JSON.parse(setValue(odd, ["title"], undefined))).not.toHaveProperty("title");
    expect(setValue(odd, ["title"], undefined)).toContain(
      '"big":12345678901234567890.000,\n\n\t"list":[ 1,2 ]',
    );
    expect(setValue(odd, ["nothing"], undefined)).toBe(odd);
  });
  test("dollar signs and quotes are inserted literally", () => {
    expect(JSON.parse(setValue("{}", ["t"], JSON.stringify('$& "$1"')))).toEqual({ t: '$& "$1"' });
  });
});

describe("the line and place of a problem", () => {
  const { root } = parseDocument(odd);
  test.each([
    ["/title", 2],
    ["/list/1", 5],
    ["/a~1b~0c/x", 5],
    ["/list/9", 5],
    ["", 1],
  ])("%s on line %i", (pointer, line) => {
    expect(root && lineAt(odd, nodeAt(root, pointer).offset)).toBe(line);
  });
});

describe("an invalid configuration reports the position of its error", () => {
  test.each(['{"a":1,}', '{"a":1 // no\n}', "{'a':1}", '{"a":\n01}', "", '{"a":"\t"}'])(
    "%j",
    (text) => {
      const { root, fault } = parseDocument(text);
      expect(root).toBeUndefined();
      expect(fault?.detail).toBe("This is not valid JSON.");
    },
  );
  test("an array", () => {
    expect(parseDocument("[]").fault?.detail).toBe("A configuration is one JSON object.");
  });
});

test("members are read with their types", () => {
  const { root } = parseDocument('{"a":[1,{"b":null}],"t":true}');
  expect(root && [propertyOf(root, "a"), propertyOf(root, "t"), propertyOf(root, "x")]).toEqual([
    [1, { b: null }],
    true,
    undefined,
  ]);
});
