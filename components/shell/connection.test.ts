import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connection, connectionLost } from "./connection";

/** The response to the probe; a promise that never settles simulates a network that drops requests. */
let answer: () => Promise<Response>;
let page: EventTarget;
let changes: number;
let unsubscribe: () => void;

const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const alive = () => Promise.resolve(new Response("ok"));
const isLost = () => connection.lostAt() !== undefined;

beforeEach(() => {
  page = new EventTarget();
  changes = 0;
  answer = lost;
  vi.useFakeTimers();
  vi.stubGlobal("window", page);
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) =>
    Promise.race([
      answer(),
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ]),
  );
  // The native timer, which fake timers do not control.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const ends = new AbortController();
    setTimeout(() => ends.abort(), ms);
    return ends.signal;
  });
  unsubscribe = connection.subscribe(() => {
    changes += 1;
  });
});

afterEach(async () => {
  answer = alive;
  await vi.advanceTimersByTimeAsync(10_000);
  unsubscribe();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a browser that goes offline is reported at once, and only once", async () => {
  page.dispatchEvent(new Event("offline"));
  expect(isLost()).toBe(true);
  connectionLost();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(changes).toBe(1);
});

test("a call without a response is reported at once, and the start of the outage is kept", async () => {
  connectionLost();
  const since = connection.lostAt();
  await vi.advanceTimersByTimeAsync(1000);
  connectionLost();
  expect(connection.lostAt()).toBe(since);
});

test("the page is online within 2 s of the first response, without a click", async () => {
  connectionLost();
  await vi.advanceTimersByTimeAsync(30_000);
  answer = alive;
  await vi.advanceTimersByTimeAsync(2000);
  expect(isLost()).toBe(false);
  expect(changes).toBe(2);
});

test("the browser's online event triggers a probe at once and is not trusted", async () => {
  connectionLost();
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(isLost()).toBe(true);
  answer = alive;
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(isLost()).toBe(false);
});

test("a probe without a response times out, and the next one finds the server", async () => {
  answer = () => new Promise(() => undefined);
  connectionLost();
  await vi.advanceTimersByTimeAsync(3000);
  answer = alive;
  await vi.advanceTimersByTimeAsync(5000);
  expect(isLost()).toBe(false);
});
