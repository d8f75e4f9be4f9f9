import { describe, expect, test } from "vitest";
import { compareFields, mergeFields } from "./three-way";

const base =
  '{\n  "title": "Home",\n  "enabled": false,\n  "hero": { "headline": "A", "text": "B" },\n  "n": 10000000000000000001,\n  "list": [1, 2]\n}\n';
const edit = (from: string, to: string, text = base) => text.replace(from, to);
const changesOf = (yours: string, theirs: string) => compareFields({ base, yours, theirs });
const told = (yours: string, theirs: string) =>
  changesOf(yours, theirs).map(({ pointer, changedBy }) => `${pointer} ${changedBy}`);

describe("both sides' edits end up in the merged text", () => {
  test("of different fields, also inside one object, byte for byte outside of them", () => {
    const yours = edit('"Home"', '"Mine"', edit('"B"', '"Mine too"'));
    const theirs = edit('"A"', '"Theirs"', edit("10000000000000000001", "10000000000000000002"));
    expect(told(yours, theirs)).toEqual([
      "/title yours",
      "/hero/headline theirs",
      "/hero/text yours",
      "/n theirs",
    ]);
    expect(mergeFields(theirs, changesOf(yours, theirs), {})).toBe(
      edit('"Home"', '"Mine"', edit('"B"', '"Mine too"', theirs)),
    );
  });

  test("added and removed members", () => {
    const yours = edit(
      '  "enabled": false,\n',
      "",
      edit("10000000000000000001", '10000000000000000001,\n  "mine": 1.0'),
    );
    const theirs = edit("10000000000000000001", '10000000000000000001,\n  "theirs": 1e400');
    const merged = mergeFields(theirs, changesOf(yours, theirs), {}) ?? "";
    expect(Object.keys(JSON.parse(merged)).sort()).toEqual([
      "hero",
      "list",
      "mine",
      "n",
      "theirs",
      "title",
    ]);
    expect(merged).toContain('"mine": 1.0');
    expect(merged).toContain('"theirs": 1e400');
  });

  test("the same edit on both sides is not a change to decide", () => {
    expect(changesOf(edit("false", "true"), edit("false,", "true ,"))).toEqual([]);
  });

  test("differences only in spacing, escapes or order are not changes", () => {
    expect(
      changesOf(
        base,
        '{"list":[1,2],"n":10000000000000000001,"hero":{"text":"B","headline":"\\u0041"},"enabled":false,"title":"Home"}',
      ),
    ).toEqual([]);
  });
});

describe("a field changed by both sides", () => {
  const yours = edit('"Home"', '"Mine"', edit('"B"', '"Mine too"'));
  const theirs = edit('"Home"', '"Theirs"');

  test("waits for a choice", () => {
    expect(told(yours, theirs)).toEqual(["/title both", "/hero/text yours"]);
    expect(mergeFields(theirs, changesOf(yours, theirs), {})).toBeUndefined();
  });

  test.each([
    ["yours", "Mine"],
    ["theirs", "Theirs"],
    ["base", "Home"],
  ] as const)("takes %s when chosen", (side, title) => {
    const merged = mergeFields(theirs, changesOf(yours, theirs), { "/title": side }) ?? "";
    expect(JSON.parse(merged)).toMatchObject({ title, hero: { headline: "A", text: "Mine too" } });
  });

  test("removed by one and changed by the other is a choice too, not a loss", () => {
    const removed = edit('  "hero": { "headline": "A", "text": "B" },\n', "");
    const changed = edit('"A"', '"C"');
    expect(told(removed, changed)).toEqual(["/hero both"]);
    expect(mergeFields(changed, changesOf(removed, changed), { "/hero": "yours" })).not.toContain(
      "hero",
    );
    expect(mergeFields(removed, changesOf(changed, removed), { "/hero": "yours" })).toContain(
      '"headline": "C"',
    );
  });

  test("arrays of the same length are compared by index, others as a whole", () => {
    expect(told(edit("[1, 2]", "[5, 2]"), edit("[1, 2]", "[1, 6]"))).toEqual([
      "/list/0 yours",
      "/list/1 theirs",
    ]);
    expect(told(edit("[1, 2]", "[1, 2, 3]"), edit("[1, 2]", "[1, 6]"))).toEqual(["/list both"]);
  });

  test("a choice can also overrule a change of one side", () => {
    const onlyTheirs = edit("false", "true");
    expect(mergeFields(onlyTheirs, changesOf(base, onlyTheirs), { "/enabled": "base" })).toBe(base);
  });
});
