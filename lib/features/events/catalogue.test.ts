import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roleIds } from "@/lib/access/roles";
import { projectRoot } from "@/lib/database/data-dir";
import { errorCodes } from "@/lib/protocol/error-codes";
import { permissions } from "@/lib/protocol/permissions";
import { eventTypes, typesWithValues } from "./catalogue";
import { CloudEvent, exampleOf } from "./contract";
import { matchesType, withoutValues } from "./event";

const pattern =
  /"((?:api-key|session|user|site|tenant|preview|release|customer|customer-import|webhook|audit-stream|connection|alert|marker|view)\.[a-z-]+)"/g;
const others = [...permissions, ...roleIds, ...Object.keys(errorCodes)] as string[];
/** Actions that share their name with an error code. */
const alsoCodes = eventTypes.map(({ type }) => type);

async function recordedActions(): Promise<Set<string>> {
  const found = new Set<string>();
  for (const folder of ["lib/features", "lib/setup"])
    for (const file of await readdir(join(projectRoot(), folder), { recursive: true })) {
      if (!file.endsWith(".ts") || /test|^events\/catalogue/.test(file)) continue;
      const text = await readFile(join(projectRoot(), folder, file), "utf8");
      for (const [, name = ""] of text.matchAll(pattern))
        if (!others.includes(name) || alsoCodes.includes(name)) found.add(name);
    }
  return found;
}

test("the catalogue lists exactly the actions that are recorded", async () => {
  const types = eventTypes.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  const recorded = await recordedActions();
  expect([...recorded].filter((name) => !types.includes(name))).toEqual([]);
  expect(types.filter((type) => !recorded.has(type))).toEqual([]);
});

test("every example is an event without values", () => {
  for (const type of eventTypes) {
    const example = exampleOf(type);
    expect(CloudEvent.parse(example)).toEqual(example);
    const shown = typesWithValues.includes(type.type) ? example.data.changes : {};
    expect(withoutValues(example).data.changes).toEqual(
      Object.fromEntries(
        Object.keys(example.data.changes).map((name) => [name, shown[name] ?? {}]),
      ),
    );
    expect(withoutValues(example)).toEqual(example);
  }
});

test.each([
  ["user.*", "gatehouse.user.locked", true],
  ["gatehouse.user.*", "user.locked", true],
  ["*", "gatehouse.site.created", true],
  ["user.locked", "gatehouse.user.locked", true],
  ["user.lock", "gatehouse.user.locked", false],
  ["user.*", "gatehouse.users.locked", false],
  ["customer.*", "gatehouse.user.locked", false],
])("the pattern %s and the type %s: %s", (given, type, expected) => {
  expect(matchesType(given, type)).toBe(expected);
});
