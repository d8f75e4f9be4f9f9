import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runProgram } from "@/lib/database/command";
import { setting } from "@/lib/protocol/settings";
import { writeBackup } from "@/lib/setup/backup/write-backup";

const usage = "Usage: npm run backup -- --out FILE (BACKUP_KEY encrypts it)";

await runProgram(async () => {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  if (values.out === undefined) throw new Error(usage);
  const key = setting("BACKUP_KEY");
  const { takenAt, tables, bytes } = await writeBackup(resolve(values.out), key);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Saved ${rows} rows of ${tables.length} tables as of ${takenAt} in ${bytes} bytes, ${key ? "encrypted" : "not encrypted: BACKUP_KEY is not set"}.`,
    "SECRET_KEY is not in it (DATA_DIR/secret-key where it was not given). Keep it, and BACKUP_KEY, apart from the backup.",
    "Counts of API calls of the last second or two may still wait in the spool and are not in it.",
  ];
});
