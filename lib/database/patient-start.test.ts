import { randomUUID } from "node:crypto";
import { expect, inject, test, vi } from "vitest";
import { databaseUrl } from "@/lib/database/testing/databases";
import { startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { log } from "@/lib/protocol/log";
import { migrateStore } from "./migrate";

const { server } = inject("testStore");

test("a start waits for an unavailable store, and fails at once for a wrong database", async () => {
  const proxy = await startFaultyProxy(process.env.DATABASE_URL ?? "");
  const warned = vi.spyOn(log(), "warn");
  try {
    proxy.inflict("reset");
    const migrated = migrateStore({ connectionString: proxy.url });
    await expect
      .poll(() => warned.mock.calls.map(([, text]) => text), { timeout: 100_000 })
      .toEqual(["waiting for the store"]);
    proxy.inflict("pass");
    await migrated;
    const nowhere = databaseUrl(server, `no_${randomUUID().slice(0, 8)}`);
    await expect(migrateStore({ connectionString: nowhere })).rejects.toThrow("does not exist");
    expect(warned).toHaveBeenCalledTimes(1);
  } finally {
    warned.mockRestore();
    await proxy.close();
  }
});
