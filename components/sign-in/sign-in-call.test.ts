import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signIn } from "./sign-in-call";

const credentials = { tenant: "shop", login: "ada", password: "four words in a row" };
const busy = { code: "auth.busy", detail: "Too many sign-ins.", retryAfterSeconds: 2 };
const wrong = { code: "auth.login-failed", detail: "Incorrect tenant, login or password." };

/** Answers sign-ins with these failures, one after the other, and then with success. Returns the times of the sign-ins. */
function answerWith(...failures: object[]): number[] {
  const sent: number[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/csrf")) return Response.json({ csrfToken: "token" });
    sent.push(Date.now());
    const failure = failures.shift();
    const error = failure ? `?error=${encodeURIComponent(JSON.stringify(failure))}` : "";
    return Response.json({ url: `http://localhost/${error}` });
  });
  return sent;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { location: { origin: "http://localhost" } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a sign-in that the service is too busy to check", () => {
  test("is sent again, not before the service asked for it, until it is checked", async () => {
    const sent = answerWith(busy, busy);
    const signedIn = signIn(credentials);
    await vi.runAllTimersAsync();
    expect(await signedIn).toBeUndefined();
    const pauses = sent.slice(1).map((time, index) => time - (sent[index] ?? 0));
    expect(pauses).toHaveLength(2);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(2000);
  });

  test("is rejected after four repeats", async () => {
    const sent = answerWith(...Array(9).fill(busy));
    const rejected = signIn(credentials);
    await vi.runAllTimersAsync();
    expect(await rejected).toEqual(busy);
    expect(sent).toHaveLength(5);
  });
});

test("a sign-in that was rejected is not sent again", async () => {
  const sent = answerWith(wrong);
  expect(await signIn(credentials)).toEqual(wrong);
  expect(sent).toHaveLength(1);
});
