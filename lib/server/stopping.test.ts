import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { register } from "@/instrumentation";
import { closeStore, currentStore } from "@/lib/database/open";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { startServer } from "./serve";
import { createStop, requestShutdown, runStep, stopMs } from "./stopping";
import { connectRaw } from "./testing/raw";

describe("a process that is stopped", () => {
  const exit = vi.spyOn(process, "exit");
  beforeEach(() => {
    vi.useFakeTimers();
    exit.mockReset().mockImplementation(() => undefined as never);
  });
  afterEach(() => {
    vi.useRealTimers();
    resetPerProcess("shutdown");
  });

  test("exits with 1 within 25 seconds if the stop hangs, and leaves no process running", async () => {
    const abandon = vi.fn();
    void createStop({ stop: () => new Promise(() => undefined), abandon }).end(0, 0);
    await vi.advanceTimersByTimeAsync(stopMs);
    expect(abandon).toHaveBeenCalledOnce();
    expect(exit).toHaveBeenCalledWith(1);
    expect(stopMs).toBe(25_000);
  });

  test.each([
    ["0 after a complete stop", async () => true, 0],
    ["1 when something was left undone", async () => false, 1],
    ["1 when the stop fails", () => Promise.reject(new Error("no")), 1],
  ])("exits %s", async (_, stop, code) => {
    await createStop({ stop, abandon: () => undefined }).end(0, 0);
    expect(exit).toHaveBeenCalledWith(code);
  });
});

test("pages that start after a stop do not open the store again", async () => {
  const url = process.env.DATABASE_URL;
  await closeStore();
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:1/nowhere");
  try {
    requestShutdown();
    await expect(register()).resolves.toBeUndefined();
    expect(currentStore().store.opening).toBeUndefined();
  } finally {
    resetPerProcess("shutdown");
    vi.unstubAllEnvs();
    expect(process.env.DATABASE_URL).toBe(url);
  }
});

describe("a step of the stop", () => {
  const never = () => new Promise<never>(() => undefined);
  const failing = () => Promise.reject(new Error("no"));
  const step = { failure: "nothing was written", maxMs: 10 };

  test.each([
    ["that succeeds leaves nothing undone", { work: async () => undefined }, true],
    ["without work leaves nothing undone", { work: () => undefined }, true],
    [
      "that reports an incomplete result leaves something undone",
      { work: async () => false },
      false,
    ],
    ["that fails leaves something undone", { work: failing }, false],
    ["that takes too long leaves something undone", { work: never }, false],
    [
      "that fails and is deferrable leaves nothing undone",
      { work: failing, isDeferrable: true },
      true,
    ],
    [
      "that takes too long and is deferrable leaves nothing undone",
      { work: never, isDeferrable: true },
      true,
    ],
  ])("%s", async (_, given, isComplete) => {
    expect(await runStep({ ...step, ...given })).toBe(isComplete);
  });
});

describe("while it drains", () => {
  const request = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";

  test("new and kept connections are answered with Connection: close; then nothing listens", async () => {
    const server = await startServer({ port: 0 });
    const kept = connectRaw(server.url);
    kept.send(request);
    expect(await kept.answer()).not.toMatchObject({ headers: { connection: "close" } });
    const closed = server.close(600);
    kept.send(request);
    expect(await kept.answer()).toMatchObject({ headers: { connection: "close" } });
    const fresh = connectRaw(server.url);
    fresh.send(request);
    expect(await fresh.answer()).toMatchObject({ headers: { connection: "close" } });
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
