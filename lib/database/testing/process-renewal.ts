import { vi } from "vitest";
import { restoreProcess, snapshotProcess } from "./process-snapshot";
import { endWork, observeWork } from "./started-work";

const register = Symbol.for("gatehouse.per-process");

/**
 * A worker runs its test files one after the other in one process, which saves a start of Node and of its packages for each.
 * Before each file the process is reset to the state of a new one:
 *
 *     modules    evaluated again, but for packages: those are loaded once
 *     state      the register of perProcess() is empty
 *     work       timers, threads, servers, connections: ended
 *     process    environment, working directory, listeners, signal handlers, globals: as at its start
 *     mocks      spies, stubs and faked clocks: gone
 *
 * The state of a package stays: a test that changes one restores it.
 */
export async function renewProcess(): Promise<void> {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  observeWork();
  snapshotProcess();
  await endWork();
  restoreProcess();
  Reflect.deleteProperty(globalThis, register);
  vi.resetModules();
}
