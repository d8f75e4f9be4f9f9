import { randomBytes } from "node:crypto";
import { inject, vi } from "vitest";
import { closeStore } from "@/lib/database/open";
import { flushFailedLogins } from "@/lib/features/sessions/failed-logins";
import { copyDatabase, databaseUrl, dropDatabase } from "./databases";

/** Runs the work on a separate store that has only the schema. */
export async function onEmptyStore(work: () => Promise<void>): Promise<void> {
  const { server, run } = inject("testStore");
  const name = `${run}_${randomBytes(4).toString("hex")}`;
  await copyDatabase(server, name, run);
  // In this order: other work of the test may open the store again as soon as it is closed.
  vi.stubEnv("DATABASE_URL", databaseUrl(server, name));
  await closeStore();
  try {
    await work();
    await flushFailedLogins();
  } finally {
    vi.unstubAllEnvs();
    await closeStore();
    await dropDatabase(server, name);
  }
}
