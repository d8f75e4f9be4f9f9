import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { PortalView } from "@/components/shell/portal-view";
import { findSession, noteRequest, startSession } from "./times";

const minute = 60_000;
const start = Date.parse("2026-03-02T09:00:00Z");
const heard: unknown[] = [];
const otherTab = new BroadcastChannel("gatehouse.sessions");
let count = 0;
let tenant = "";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("window", { location: { href: "http://localhost/t/acme" } });
  otherTab.onmessage = ({ data }: MessageEvent<unknown>) => heard.push(data);
});

afterAll(() => {
  otherTab.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A tenant for each test, whose page has used the session at `start`. The clocks agree. */
beforeEach(async () => {
  vi.setSystemTime(start);
  tenant = `tenant-${++count}`;
  const session = {
    ...{ now: new Date(start).toISOString(), lengthSeconds: 43_200, idleSeconds: 1800 },
    endsAt: new Date(start + 720 * minute).toISOString(),
  };
  await note({ url: "/v1/user/session", headers: { "x-service-tenant": "clock" } });
  startSession({ tenant, session } as unknown as PortalView);
  await delivered();
  heard.length = 0;
});

interface Noted {
  url: string;
  headers: Record<string, string>;
  response?: Response;
  credentials?: RequestCredentials;
}

/** The header of a response whose server has this time. */
const dated = (at = Date.now()) => ({ date: new Date(at).toUTCString() });

const note = ({ url, response, ...init }: Noted) =>
  noteRequest([url, init], response ?? new Response("{}", { headers: dated() }), Date.now());

/** Waits for messages between tabs: on a busy machine a timer can run before the event loop has polled for them. */
const delivered = async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setImmediate(resolve));
};

/** The minutes until the last use after a request ten minutes later. */
async function minutesUntilUse(noted: Partial<Noted>): Promise<number> {
  vi.setSystemTime(start + 10 * minute);
  await note({ url: "/v1/user/list", headers: { "x-service-tenant": tenant }, ...noted });
  return ((findSession(tenant)?.usedAt ?? 0) - start) / minute;
}

const answered = (status: number) => new Response(null, { status, headers: dated() });

/** The response of `fetch` after a redirect of the server. */
const redirected = () =>
  Object.defineProperty(new Response("{}", { headers: dated() }), "redirected", { value: true });

const flight = (text: string) => new Response(text, { headers: dated() });

describe("what uses a session", () => {
  test("an accepted call, also for the other tabs", async () => {
    expect(await minutesUntilUse({})).toBe(10);
    await delivered();
    expect(heard).toEqual([{ tenant, usedAt: start + 10 * minute }]);
  });

  test("a call whose response the page already has", async () => {
    expect(await minutesUntilUse({ response: answered(304) })).toBe(10);
  });

  test.each([301, 400, 401, 403, 404, 429, 500, 503])("not a call answered %i", async (status) => {
    expect(await minutesUntilUse({ response: answered(status) })).toBe(0);
    await delivered();
    expect(heard, "no other tab takes it for a use").toEqual([]);
  });

  test("not a call that was redirected", async () => {
    expect(await minutesUntilUse({ response: redirected() })).toBe(0);
  });

  test("not a call with another credential than the browser's session", async () => {
    expect(await minutesUntilUse({ credentials: "omit" })).toBe(0);
  });

  test("not automatic requests of the page", async () => {
    const headers = { "x-service-tenant": tenant, "x-service-background": "true" };
    expect(await minutesUntilUse({ headers })).toBe(0);
  });

  test("a page that the router opens, and its body is left to the router", async () => {
    const response = flight('0:{"b":"page"}');
    expect(
      await minutesUntilUse({ url: `/t/${tenant}/users`, headers: { rsc: "1" }, response }),
    ).toBe(10);
    expect(await response.text()).toBe('0:{"b":"page"}');
  });

  test.each([
    { rsc: "1", "next-router-prefetch": "1" },
    { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
    { rsc: "1", "Next-Router-Segment-Prefetch": "/_tree" },
  ])("not a page that the router prefetches: %o", async (headers) => {
    expect(await minutesUntilUse({ url: `/t/${tenant}/users`, headers })).toBe(0);
  });

  test("not a page that redirects to sign-in, by its status or in its body", async () => {
    const page = { url: `/t/${tenant}/users`, headers: { rsc: "1" } };
    expect(await minutesUntilUse({ ...page, response: redirected() })).toBe(0);
    const digest = "NEXT_REDIRECT;replace;/sign-in?next=%2Ft%2Facme%2Fusers;307;";
    const response = flight(`0:{}\n8:E{"digest":"${digest}"}\n`);
    expect(await minutesUntilUse({ ...page, response })).toBe(0);
  });

  test("a page that redirects to another page of the tenant", async () => {
    const response = flight('8:E{"digest":"NEXT_REDIRECT;replace;/t/acme/me;307;"}');
    const page = { url: `/t/${tenant}/keys`, headers: { rsc: "1" } };
    expect(await minutesUntilUse({ ...page, response })).toBe(10);
  });
});

describe("the clock of the server", () => {
  const endsIn = () => ((findSession(tenant)?.endsAt ?? 0) - start) / minute;

  test("is known from a call that names a tenant, whatever its status", async () => {
    const response = new Response(null, { status: 403, headers: dated(start + 5 * minute) });
    await note({ url: "/v1/user/list", headers: { "x-service-tenant": tenant }, response });
    expect(endsIn()).toBe(715);
  });

  test.each([
    { url: "/docs/search.json", headers: {} },
    { url: "/t/acme/users", headers: { rsc: "1", "next-router-prefetch": "1" } },
  ])("not from $url, which may come from a cache", async ({ url, headers }) => {
    const response = new Response("{}", { headers: dated(start - 5 * minute) });
    await note({ url, headers, response });
    expect(endsIn()).toBe(720);
  });
});
