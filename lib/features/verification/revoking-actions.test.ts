import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roleIds } from "@/lib/access/roles";
import { projectRoot } from "@/lib/database/data-dir";
import { errorCodes } from "@/lib/protocol/error-codes";
import { permissions } from "@/lib/protocol/permissions";
import { harmlessActions, revokingActions } from "./revoking-actions";

/** The folders that record audit entries: only features and the setup do. */
const folders = ["lib/features", "lib/setup"];
const pattern = /"((?:api-key|session|user|site|tenant|connection)\.[a-z-]+)"/g;
/** Error codes, permissions and roles have the same form. */
const isAction = (name: string) => ![...permissions, ...roleIds].some((other) => other === name);
const isErrorCode = (name: string) => Object.hasOwn(errorCodes, name);

test("every recorded action is listed either as revoking or as harmless", async () => {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const file of await readdir(join(projectRoot(), folder), { recursive: true })) {
      if (!file.endsWith(".ts") || file.includes("test") || file.startsWith("verification"))
        continue;
      const text = await readFile(join(projectRoot(), folder, file), "utf8");
      for (const [, name = ""] of text.matchAll(pattern)) if (isAction(name)) found.add(name);
    }
  }
  const known = [...Object.keys(revokingActions), ...harmlessActions];
  expect([...found].filter((name) => !known.includes(name) && !isErrorCode(name))).toEqual([]);
  expect(known.filter((name) => !found.has(name))).toEqual([]);
});
