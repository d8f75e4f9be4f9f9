import { randomBytes } from "node:crypto";
import { beforeAll, expect, inject, test } from "vitest";
import { globalStatements } from "@/lib/database/global";
import { openStore } from "@/lib/database/open";
import { onServer } from "@/lib/database/testing/databases";
import { preparePartitions } from "@/lib/features/metrics/partitions";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { makeTenant } from "@/lib/setup/testing/factories";
import { readBackupFile, writeBackupFile } from "./backup-file";
import { type BackupRecord, encodeRecord, recordTypes } from "./records";
import { checkBackup, restoreBackup } from "./restore";
import { makeBulk, testStores, use } from "./testing/stores";
import { writeBackup } from "./write-backup";

const stores = testStores();
const key = randomBytes(32);
let path: string;

beforeAll(async () => {
  const source = await stores.migrated();
  await use(source);
  await openStore();
  await makeTenant();
  const tenant = await makeTenant();
  resetPerProcess("metrics-partitions");
  await preparePartitions();
  await makeBulk(source, tenant);
  path = stores.file();
  await writeBackup(path, key);
});

/** The same backup, encrypted with the right key, with other records. */
async function rewritten(change: (record: BackupRecord) => BackupRecord[]): Promise<string> {
  const file = stores.file();
  const records = async function* () {
    for await (const record of readBackupFile(path, key))
      for (const { type, content } of change(record)) yield encodeRecord(type, content);
  };
  await writeBackupFile(file, records(), key);
  return file;
}

const isRows = ({ type, content }: BackupRecord) =>
  type === recordTypes.data && content.includes("test-1\t");

test.each<[string, string, (record: BackupRecord) => BackupRecord[]]>([
  [
    "a row that is missing",
    "the rows of metric_batches are not those that were saved",
    (record) =>
      isRows(record)
        ? [{ ...record, content: record.content.subarray(record.content.indexOf("\n") + 1) }]
        : [record],
  ],
  [
    "a row that is there twice",
    "the rows of metric_batches are not those that were saved",
    (record) => {
      const first = record.content.subarray(0, record.content.indexOf("\n") + 1);
      return isRows(record) ? [record, { ...record, content: first }] : [record];
    },
  ],
  [
    "a value that differs",
    "the rows of metric_batches are not those that were saved",
    (record) => {
      const text = record.content.toString().replace("test-1\t1\t", "test-1\t7\t");
      return isRows(record) ? [{ ...record, content: Buffer.from(text) }] : [record];
    },
  ],
  [
    "an end that is missing",
    "cut short",
    (record) => (record.type === recordTypes.end ? [] : [record]),
  ],
  [
    "a table that is missing",
    "out of order",
    (record) =>
      record.type === recordTypes.table && record.content.includes('"sites"') ? [] : [record],
  ],
  [
    "a bound of a partition that is a statement",
    "its list of tables is ill-formed",
    (record) =>
      record.type === recordTypes.manifest
        ? [
            {
              ...record,
              content: Buffer.from(
                record.content.toString().replace("FOR VALUES FROM", "; drop table tenants; --"),
              ),
            },
          ]
        : [record],
  ],
])("a check finds %s", async (_, words, change) => {
  const file = await rewritten(change);
  await expect(checkBackup(file, key)).rejects.toThrow(words);
});

test("a failed restore leaves the store empty, and the next one succeeds", async () => {
  const target = await stores.bare();
  await use(target);
  const broken = await rewritten((record) => (record.type === recordTypes.end ? [] : [record]));
  await expect(restoreBackup(broken, key)).rejects.toThrow("cut short");
  const [left] = await onServer<{ isEmpty: boolean }>(target, globalStatements.isEmptyStore);
  expect(left?.isEmpty).toBe(true);
  expect((await restoreBackup(path, key)).tables.length).toBeGreaterThan(30);
});

// Citus supports no triggers on distributed tables.
test.skipIf(inject("testStore").isSharded)(
  "a restore reads every table again: rows that the store changed are found, and nothing stays",
  async () => {
    const target = await stores.migrated();
    await onServer(
      target,
      `create function lose() returns trigger language plpgsql as 'begin return null; end';
     create trigger lose before insert on metric_batches for each row when (new.seq = 5) execute function lose()`,
    );
    await use(target);
    await expect(restoreBackup(path, key)).rejects.toThrow(
      "The restored table metric_batches is not what was saved: 20000 rows instead of 20001",
    );
    const [left] = await onServer<{ isEmpty: boolean }>(target, globalStatements.isEmptyStore);
    expect(left?.isEmpty).toBe(true);
  },
);
