import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { lostWithSecretKey } from "./check-restored";

test("the page on backups describes a lost SECRET_KEY like the command", () => {
  const page = readFileSync(join(projectRoot(), "docs", "operations", "backup.md"), "utf8");
  for (const line of lostWithSecretKey) expect(page).toContain(`- ${line}\n`);
  expect(page.match(/^- .*cannot be (?:decrypted|proved)/gm)?.length).toBeGreaterThan(3);
});
