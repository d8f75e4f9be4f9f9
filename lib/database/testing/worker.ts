import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, expect, inject } from "vitest";
import { closeStore } from "@/lib/database/open";
import { copyDatabase, databaseUrl } from "./databases";
import { guardStatements, preparedStatements, statementFaults } from "./guard";
import { rowFaults } from "./row-faults";

const place = Symbol.for("gatehouse.test-database");

/** Runs before each test file. The files that one worker runs, one after the other, share a database: each test makes its own tenant. */
const { server, run, folder } = inject("testStore");
const name = `${run}_worker_${process.env.VITEST_POOL_ID}`;
process.env.DATABASE_URL = databaseUrl(server, name);
process.env.SECRET_KEY = createHash("sha256").update(run).digest("hex");
process.env.DATA_DIR = join(folder, name);
process.env.SIGN_UP = "on";
// On a busy machine PostgreSQL may be late. Tests of a store that is away set their own.
process.env.STORE_TIMEOUT_MS = "30000";

/** The process's database, which outlives the file that created it. */
const own = globalThis as { [place]?: string };

await guardStatements();
if (own[place] !== name) await copyDatabase(server, name, run);
own[place] = name;

afterEach(() => {
  expect(statementFaults.splice(0), "statements that are not held to one tenant").toEqual([]);
});

afterAll(async () => {
  await closeStore();
  const faults = await rowFaults({
    url: databaseUrl(server, name),
    statements: preparedStatements,
    noted: join(folder, "described-statements"),
  });
  expect(faults, "rows that differ from their declared types").toEqual([]);
});
