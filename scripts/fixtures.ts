import { renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { hashPatiently } from "@/lib/access/hashing";
import { adoptSecretKey } from "@/lib/access/sealed";
import { runCommand } from "@/lib/database/command";
import { publicUrl } from "@/lib/protocol/settings";
import { makeFixtures } from "@/lib/setup/fixtures";

hashPatiently();
await runCommand(async () => {
  await adoptSecretKey();
  const { values } = parseArgs({
    options: { out: { type: "string" }, "base-url": { type: "string" } },
  });
  const out = resolve(values.out ?? "fixtures.json");
  const fixtures = await makeFixtures(values["base-url"] ?? publicUrl());
  const draft = `${out}.${process.pid}`;
  // Renamed into place: an existing file's mode is not kept, and no reader sees a partial file.
  writeFileSync(draft, `${JSON.stringify(fixtures, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, out);
  return [`Wrote ${out}: ${Object.keys(fixtures.users).length} users, with new passwords.`];
});
