import { afterEach, expect, test, vi } from "vitest";
import { createPart, whyMissing } from "./part";

afterEach(() => vi.unstubAllGlobals());

/** A loader that fails as often as given, then succeeds. */
function failing(times: number) {
  let attempts = 0;
  const load = () => {
    attempts++;
    return attempts > times ? Promise.resolve("code") : Promise.reject(new Error("ChunkLoadError"));
  };
  return { load, attempts: () => attempts };
}

test("code that does not load is retried until it has loaded", async () => {
  const { load, attempts } = failing(2);
  const part = createPart(load, async () => "unreachable");
  await part.load();
  expect(part.module()).toBeUndefined();
  expect(part.failure()).toBe("unreachable");
  await expect(part.arrival()).resolves.toBe("code");
  expect(part.module()).toBe("code");
  expect(part.failure()).toBeUndefined();
  expect(attempts()).toBe(3);
});

test("listeners are notified of the failure and of the success", async () => {
  const part = createPart(failing(1).load, async () => "unreachable");
  const heard: unknown[] = [];
  part.subscribe(() => heard.push(part.failure()));
  await part.arrival();
  expect(heard).toEqual(["unreachable", undefined]);
});

test("a retry does not wait for the end of the pause", async () => {
  vi.useFakeTimers();
  try {
    const part = createPart(failing(1).load, async () => "unreachable");
    await part.load();
    part.retry();
    await expect(part.arrival()).resolves.toBe("code");
  } finally {
    vi.useRealTimers();
  }
});

test("code is loaded once for all callers", async () => {
  const { load, attempts } = failing(0);
  const part = createPart(load);
  await Promise.all([part.load(), part.arrival(), part.load()]);
  expect(attempts()).toBe(1);
});

test("code that a newer build has replaced is not requested again", async () => {
  const { load, attempts } = failing(1);
  const part = createPart(load, async () => "replaced");
  await part.load();
  part.retry();
  await part.load();
  expect(part.failure()).toBe("replaced");
  expect(attempts()).toBe(1);
});

const chunkError = new Error("Failed to load chunk /_next/static/chunks/a1-b2.js from module 17");

test.each([
  ["404: a newer build has replaced it", 404, "replaced"],
  ["200: it was the connection", 200, "unreachable"],
  ["503: the service is away", 503, "unreachable"],
])("a file that is requested again responds with %s", async (_, status, expected) => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (address: unknown, options: RequestInit) => {
    asked.push(address, options.method);
    return new Response(null, { status });
  });
  expect(await whyMissing(chunkError)).toBe(expected);
  expect(asked).toEqual(["/_next/static/chunks/a1-b2.js", "HEAD"]);
});

test("without a connection nothing is concluded about the build", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  expect(await whyMissing(chunkError)).toBe("unreachable");
});
