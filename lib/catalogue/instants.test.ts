import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { type TextMember, withTexts } from "./testing/text-requests";
import { openTextWorld, type TextWorld } from "./testing/text-world";

/**
 * Sends every instant, date and duration of /openapi.json with the values that programs write for "not set" and "for ever", with
 * future values, and reversed where a query has two: never 5xx, and a 400 names the field.
 */

const send = testServer();
let world: TextWorld;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  process.env.SMTP_URL = "smtp://127.0.0.1:9";
  world = await openTextWorld(send);
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
  delete process.env.SMTP_URL;
});

const digits = "9".repeat(30);
const values: Record<string, string[]> = {
  "date-time": [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "0000-12-31T23:59:59Z",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59-14:00",
    `2026-01-01T00:00:00.${digits}Z`,
    "2199-06-01T00:00:00Z",
    "1970-01-01T00:00:00Z",
  ],
  date: ["0000-01-01", "0001-01-01", "9999-12-31", "2199-01-01", "1990-01-01T00:00:00.000Z"],
  duration: ["PT0S", "P0D", "P36525D", "P36526D", `PT${digits}S`, "PT0.000000001S", "-P1D", "P1M"],
};

const valuesOf = ({ schema }: TextMember): string[] => values[schema.format ?? ""] ?? [];

/** Queries with times: each parameter by itself, and two of them in each order. */
function queriesOf(query: readonly TextMember[], base: string): string[] {
  const times = query.filter((one) => valuesOf(one).length > 0);
  const pair = (one: TextMember, value: string) => `${one.path[0]}=${encodeURIComponent(value)}`;
  const alone = times.flatMap((one) => valuesOf(one).map((value) => pair(one, value)));
  const [first, second] = times;
  const both =
    first && second
      ? valuesOf(first).flatMap((one) =>
          valuesOf(second).map((other) => `${pair(first, one)}&${pair(second, other)}`),
        )
      : [];
  return [...alone, ...both].map((one) => (base === "" ? one : `${one}&${base}`));
}

test("an instant, a date or a duration of any kind is accepted, or rejected with its name", {
  timeout: 300_000,
}, async () => {
  const faults: string[] = [];
  let asked = 0;
  for (const operation of world.operations()) {
    const { name, members, query } = operation;
    const required = query.filter(({ schema, path }) => path[0] === "group" && schema.enum);
    const base = required.map(({ path, schema }) => `${path[0]}=${schema.enum?.[0]}`).join("&");
    const bodies = members.flatMap((one) =>
      valuesOf(one).map((value) => ({
        body: withTexts(operation.body, [one.path], value),
        told: `${one.pointer} ${value}`,
      })),
    );
    const queries = queriesOf(query, base).map((text) => ({ query: text, told: text }));
    for (const { told, ...request } of [...bodies, ...queries]) {
      const answer = await world.ask(operation, request);
      asked += 1;
      const isNamed = answer.status !== 400 || String(answer.body?.reason ?? "") !== "";
      if (answer.status >= 500 || !isNamed)
        faults.push(`${name} ${told}: ${answer.status} ${answer.text}`);
    }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThan(500);
});
