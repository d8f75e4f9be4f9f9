import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "@/lib/database/embedded/embedded";
import { findPostmaster } from "@/lib/database/embedded/postmaster";
import { migrateStore } from "@/lib/database/migrate";
import { databaseUrl, dropDatabases, makeDatabase, nodesOf } from "./databases";
import { joinNodes, shardTemplate } from "./sharded-template";

/** One server for the whole run: TEST_DATABASE_URL (of a cluster of Citus the coordinator), or a temporary embedded PostgreSQL. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  const abandon = () => abandonFolder(folder);
  process.once("exit", abandon);
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? undefined : await startEmbedded(folder, { isThrowaway: true });
  const superuser = embedded?.superuser;
  const server =
    given ||
    `postgres://${superuser?.user}:${superuser?.password}@localhost/postgres?host=${encodeURIComponent(superuser?.host ?? "")}`;
  const run = `gatehouse_test_${randomBytes(4).toString("hex")}`;
  const teardown = async () => {
    process.off("exit", abandon);
    if (given) await dropDatabases(server, run);
    await embedded?.close();
    rmSync(folder, { recursive: true });
  };
  try {
    await makeDatabase(server, run);
    await joinNodes(server, run);
    await migrateStore({ connectionString: databaseUrl(server, run) });
    await shardTemplate(server, run);
  } catch (error) {
    await teardown();
    throw error;
  }
  const isSharded = (await nodesOf(server)).length > 1;
  project.provide("testStore", { server, run, folder, isSharded });
  return teardown;
}

/** On Ctrl-C the process ends without a teardown. A server that has just been started stops by itself when its folder is missing. */
function abandonFolder(folder: string): void {
  const left = findPostmaster(join(folder, "postgres", "cluster"));
  if (left !== undefined) process.kill(left.pid, "SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
}
