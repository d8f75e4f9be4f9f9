import { expect, test } from "vitest";
import { withStage } from "./content";

test.each([
  [
    "a value",
    '{"title":"Home","stage":"draft","n":1.10}',
    '{"title":"Home","stage":"live","n":1.10}',
  ],
  [
    "the last value",
    '{ "a" : 1.0,\n  "stage" : "draft"\n}\n',
    '{ "a" : 1.0,\n  "stage" : "live"\n}\n',
  ],
  [
    "a value of another type",
    '{"stage": {"stage": [1, "}"]} , "b": 2}',
    '{"stage": "live" , "b": 2}',
  ],
  ["an escaped name", '{"\\u0073tage":null}', '{"\\u0073tage":"live"}'],
  [
    "a nested member of that name",
    '{"a":{"stage":"draft"}}',
    '{"stage":"live","a":{"stage":"draft"}}',
  ],
  ["a text that says stage", '{"a":"\\"stage\\":"}', '{"stage":"live","a":"\\"stage\\":"}'],
  ["indented members", '{\n  "a": 1e2\n}', '{\n  "stage": "live",\n  "a": 1e2\n}'],
  ["an empty object", "{}", '{"stage":"live"}'],
  ["an empty object with a space", "{ }", '{ "stage": "live" }'],
])("%s: only the stage changes", (_, before, after) => {
  expect(withStage(Buffer.from(before), "live").toString()).toBe(after);
  expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), stage: "live" });
});
