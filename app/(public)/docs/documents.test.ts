import { expect, test } from "vitest";
import { guides } from "@/lib/catalogue/guides/parse";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();

test("200: a guide as Markdown at the page's address, for a client that accepts it", async () => {
  const headers = { Accept: "text/markdown, text/html;q=0.9" };
  const { status, headers: answered, text } = await send("GET /docs/guides/api-keys", { headers });
  expect(status).toBe(200);
  expect(answered.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(answered.get("vary")).toContain("Accept");
  expect(text).toMatch(/^# API keys\n/);
  expect(text).not.toMatch(/\]\([a-z-]+\.md/);
});

test("304: a guide that the caller has cached", async () => {
  const { headers } = await send("GET /docs/markdown/api-keys");
  const tag = { "If-None-Match": headers.get("etag") ?? "" };
  expect((await send("GET /docs/markdown/api-keys", { headers: tag })).status).toBe(304);
});

test.each([
  ["text/html,application/xhtml+xml,*/*;q=0.8", "a browser"],
  ["text/markdown;q=0.5, text/html", "whoever wants the page more"],
  ["*/*", "a program that takes anything"],
])("the response stays the page for %s: %s", async (accept) => {
  // The server of this test has no pages.
  const { status } = await send("GET /docs/guides/api-keys", { headers: { Accept: accept } });
  expect(status).toBe(404);
});

test("404: a guide that does not exist", async () => {
  const headers = { Accept: "text/markdown" };
  const { status } = await send("GET /docs/guides/unknown", { headers });
  expect(status).toBe(404);
  expect((await send("GET /docs/markdown/unknown")).body).toMatchObject({
    code: "request.not-found",
  });
});

test("200: llms.txt lists every guide by an address that works", async () => {
  const { status, headers, text } = await send("GET /llms.txt");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const named = [...text.matchAll(/\((http[^)]+\/docs\/markdown\/[^)]+)\)/g)].map(([, at]) => at);
  expect(named).toHaveLength(guides().length);
  for (const at of named)
    expect((await send(`GET ${new URL(at ?? "").pathname}`)).status).toBe(200);
});

test("200: the search index", async () => {
  const { status, body } = await send("GET /docs/search.json");
  expect(status).toBe(200);
  expect(body).toContainEqual(
    expect.objectContaining({ title: "Quick start", href: "/docs/guides/quick-start" }),
  );
});

test("200: the changelog as JSON and as Atom", async () => {
  const { status, body } = await send("GET /docs/changelog.json");
  expect(status).toBe(200);
  const feed = await send("GET /docs/changelog.atom");
  expect(feed.headers.get("content-type")).toBe("application/atom+xml");
  expect(feed.text.match(/<entry>/g)).toHaveLength(body.length);
  expect(feed.text).toContain(`<updated>${body[0].date}T00:00:00Z</updated>`);
  expect(feed.text).not.toMatch(/&(?!amp;|lt;|quot;)/);
});
