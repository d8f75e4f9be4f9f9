import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, expect, inject } from "vitest";
import { closeStore } from "@/lib/db/open";
import { databaseUrl, onServer } from "@/lib/db/testing/databases";
import { guardStatements, statementFaults } from "@/lib/db/testing/guard";

/** Runs before each test file: a store of its own, closed and dropped after the file's last test. */
const { server, run, folder } = inject("testStore");
const name = `${run}_${randomBytes(4).toString("hex")}`;
process.env.DATABASE_URL = databaseUrl(server, name);
process.env.SECRET_KEY = randomBytes(32).toString("hex");
process.env.DATA_DIR = join(folder, name);

await guardStatements();
await onServer(server, `create database ${name} template ${run}`);

afterEach(() => {
  expect(statementFaults.splice(0), "statements that are not held to one tenant").toEqual([]);
});

afterAll(async () => {
  await closeStore();
  await onServer(server, `drop database ${name} with (force)`);
});
