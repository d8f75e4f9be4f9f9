import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { leaveStore, runProgram } from "@/lib/database/command";
import { openStore } from "@/lib/database/open";
import { setting } from "@/lib/protocol/settings";
import {
  checkTrails,
  isSecretKeyKnown,
  lostWithSecretKey,
} from "@/lib/setup/backup/check-restored";
import { checkBackup, type RestoreReport, restoreBackup } from "@/lib/setup/backup/restore";

const usage =
  "Usage: npm run restore -- --in FILE [--check] (--check reads the file to its end and writes nothing)";

const summary = ({ takenAt, tables }: RestoreReport) =>
  `${tables.reduce((sum, table) => sum + table.rows, 0)} rows of ${tables.length} tables as of ${takenAt}`;

async function checkStore(): Promise<string[]> {
  try {
    await openStore();
    const isKnown = await isSecretKeyKnown();
    const { tenants, entries, faults } = await checkTrails();
    if (faults.length > 0 && isKnown) process.exitCode = 1;
    const trails = `${entries} audit entries of ${tenants} tenants: ${faults.length === 0 ? "every chain is whole" : `${faults.length} cannot be verified`}.`;
    if (isKnown)
      return [trails, ...faults, "SECRET_KEY is the one that the store was written with."];
    return [
      trails,
      "SECRET_KEY is NOT the one that the store was written with. Give that one, now or as SECRET_KEY_PREVIOUS. Without it (SECRET_KEY_PREVIOUS=lost):",
      ...lostWithSecretKey.map((line) => `- ${line}`),
    ];
  } finally {
    await leaveStore();
  }
}

await runProgram(async () => {
  const { values } = parseArgs({ options: { in: { type: "string" }, check: { type: "boolean" } } });
  if (values.in === undefined) throw new Error(usage);
  const [path, key] = [resolve(values.in), setting("BACKUP_KEY")];
  if (values.check) return [`The backup is whole: ${summary(await checkBackup(path, key))}.`];
  const restored = summary(await restoreBackup(path, key));
  return [
    `Restored ${restored}; each table has the count and checksum of the backup.`,
    ...(await checkStore()),
  ];
});
