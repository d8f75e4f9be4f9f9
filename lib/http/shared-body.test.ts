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

test("a shared value is parsed and written once, and what the contract does not name is left out", () => {
  const { declared, seen } = schema();
  const value = shareBody([{ name: "Ann", hash: "secret" }]);
  const texts = [1, 2, 3].map(() => writeBody(declared, value).text);
  expect(new Set(texts)).toEqual(new Set(['[{"name":"Ann"}]']));
  expect(seen).toHaveBeenCalledOnce();
});

test("another schema writes a shared value again: what one may show another may not", () => {
  const value = shareBody([{ name: "Ann" }]);
  writeBody(schema().declared, value);
  expect(writeBody(z.array(z.object({})), value).text).toBe("[{}]");
});

test("a value that is not shared is written each time, as it is then", () => {
  const { declared } = schema();
  const value = [{ name: "Ann" }];
  writeBody(declared, value);
  value.push({ name: "Bob" });
  expect(writeBody(declared, value).text).toBe('[{"name":"Ann"},{"name":"Bob"}]');
});
