import { expect, test, vi } from "vitest";
import { z } from "zod";
import { shareBody, writeBody } from "./answer";

const schema = () => {
  const seen = vi.fn();
  const declared = z.array(z.object({ name: z.string() })).refine((value) => {
    seen(value);
    return true;
  });
  return { declared, seen };
};

test("a shared value is parsed and serialized once, without fields that are not in the contract", () => {
  const { declared, seen } = schema();
  const value = shareBody([{ name: "Ann", hash: "secret" }]);
  const texts = [1, 2, 3].map(() => writeBody(declared, value).text);
  expect(new Set(texts)).toEqual(new Set(['[{"name":"Ann"}]']));
  expect(seen).toHaveBeenCalledOnce();
});

test("another schema serializes a shared value again, because it may exclude other fields", () => {
  const value = shareBody([{ name: "Ann" }]);
  writeBody(schema().declared, value);
  expect(writeBody(z.array(z.object({})), value).text).toBe("[{}]");
});

test("a value that is not shared is serialized each time in its current state", () => {
  const { declared } = schema();
  const value = [{ name: "Ann" }];
  writeBody(declared, value);
  value.push({ name: "Bob" });
  expect(writeBody(declared, value).text).toBe('[{"name":"Ann"},{"name":"Bob"}]');
});
