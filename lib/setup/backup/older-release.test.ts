import { readMigrationFiles } from "drizzle-orm/migrator";
import { expect, test } from "vitest";
import { applyMigrations } from "@/lib/database/apply-migrations";
import { migrationsFolder } from "@/lib/database/migrate";
import { openStore } from "@/lib/database/open";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import { onServer } from "@/lib/database/testing/databases";
import { restoreBackup } from "./restore";
import { testStores, use } from "./testing/stores";
import { writeBackup } from "./write-backup";

const stores = testStores();

test("a backup of an older release is restored into its schema, which the next start migrates", async () => {
  const all = readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(
    ({ folderMillis }) => folderMillis,
  );
  const upTo = all.at(-3) ?? 0;
  const older = await stores.bare();
  await use(older);
  await withOwnerConnection(({ client }) =>
    applyMigrations(client, migrationsFolder(), { isNewerAccepted: false, upTo }),
  );
  const path = stores.file();
  await writeBackup(path, undefined);
  const target = await stores.bare();
  await use(target);
  await restoreBackup(path, undefined);
  const applied = async () =>
    (
      await onServer<{ last: string }>(
        target,
        "select max(created_at) as last from drizzle.__drizzle_migrations",
      )
    ).map(({ last }) => Number(last));
  expect(await applied()).toEqual([upTo]);
  await openStore();
  expect(await applied()).toEqual([all.at(-1)]);
});
