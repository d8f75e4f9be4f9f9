import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let editor: Awaited<ReturnType<typeof makeEditor>>;
let api: ReturnType<typeof configurationOf>;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  editor = await makeEditor();
  api = configurationOf(send, editor.key);
  await api.create("home");
});

const etagOf = (text: string | Uint8Array) =>
  `"${createHash("sha256").update(text).digest("base64url")}"`;

describe("200", () => {
  test("PUT responds with the bytes and their strong ETag, Location, Allow and Cache-Control; GET and HEAD with the same", async () => {
    const text = '{ "title": "Home" }\n';
    const put = await api.put("home", text);
    expect(put.status).toBe(200);
    expect(put.text).toBe(text);
    expect(Object.fromEntries(put.headers)).toMatchObject({
      etag: etagOf(text),
      location: "/pim/preview/home/configuration",
      allow: "GET, HEAD, PUT, OPTIONS",
      "cache-control": "private, no-cache, no-transform",
      "content-type": "application/json",
      vary: "X-Service-Tenant, X-Service-Site, X-Service-Session-Id, X-Service-API-Key, Authorization, Cookie, Accept",
    });
    const get = await api.get("home");
    expect([get.status, get.text, get.headers.get("etag")]).toEqual([200, text, etagOf(text)]);
    expect(Date.parse(get.headers.get("last-modified") ?? "")).toBeGreaterThan(Date.now() - 60_000);
    const head = await send("HEAD /pim/preview/home/configuration", { headers: editor.key });
    expect([
      head.status,
      head.text,
      head.headers.get("etag"),
      head.headers.get("content-length"),
    ]).toEqual([200, "", etagOf(text), String(text.length)]);
    expect(get.headers.get("x-service-request-id")).toMatch(/./);
    expect(get.headers.get("deprecation")).toBeNull();
  });

  const big = `{"a":"${"x".repeat(256 * 1024 - 8)}"}`;
  test.each([
    ["odd spacing", '\r\n\t { \n"a"  :\t1 ,\r\n "b":[ ] }  \n\n'],
    ["escapes", '{"\\u0061":"\\u00fc\\/\\ud83d\\ude00","b":"ü/😀","c":"\\u0000\\u001f"}'],
    [
      "big and odd numbers",
      '{"a":12345678901234567890123,"b":1e400,"c":-0.0,"d":1.0,"e":1E+2,"f":0.1000}',
    ],
    [
      "member order and names",
      '{"z":1,"10":2,"9":3,"a":4,"":5,"__proto__":{"x":1},"constructor":null}',
    ],
    ["32 levels", `${'{"a":'.repeat(31)}{}${"}".repeat(31)}`],
    ["256 KiB", big],
  ])("the bytes put are the bytes got: %s", async (_, text) => {
    expect((await api.put("home", text)).text).toBe(text);
    expect((await api.get("home")).text).toBe(text);
  });

  test("created bytes are stored exactly as in the request body", async () => {
    const configuration =
      '{ "n":1.00,\n"q":"a\\"}b\\\\" , "configuration":{"x":[{}]},"u":"\\u00fc" }';
    const raw = `{"\\u006bey":"inside","configuration"  : ${configuration} }`;
    const created = await send("POST /pim/preview", {
      headers: { ...editor.key, "Content-Type": "application/json" },
      raw,
    });
    expect(created.status).toBe(201);
    expect((await api.get("inside")).text).toBe(configuration);
  });

  test("a wrong type in a known field is stored: it is reported as a problem, never rejected", async () => {
    expect((await api.put("home", '{"enabled":"yes","title":7}')).status).toBe(200);
    const { body } = await send("GET /pim/preview/home", { headers: editor.key });
    expect(body.problems.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/enabled",
      "/title",
    ]);
    expect(body).not.toHaveProperty("title");
  });

  test("all three management schemes; only the deprecated bearer gets a deprecation header, on errors too", async () => {
    const token = await send("POST /v1/user/portal-token", { headers: editor.session });
    const { "X-Service-Session-Id": _, ...where } = editor.session;
    const bearer = { ...where, Authorization: `Bearer ${token.body.accessToken}` };
    for (const headers of [editor.key, editor.session])
      expect((await send("GET /pim/preview/home/configuration", { headers })).status).toBe(200);
    const answers = [
      await send("GET /pim/preview/home/configuration", { headers: bearer }),
      await send("GET /pim/preview/unknown/configuration", { headers: bearer }),
      await send("GET /pim/preview?limit=1", { headers: bearer }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    for (const { headers } of answers) {
      expect(headers.get("deprecation")).toBe("@1795132800");
      expect(headers.get("sunset")).toBe("Sat, 20 Nov 2027 00:00:00 GMT");
      expect(headers.get("link")).toContain('rel="deprecation"');
    }
    expect(answers[2]?.headers.get("link")).toContain('rel="next"');
    const elsewhere = await send("GET /v1/user/profile", { headers: bearer });
    expect([elsewhere.status, elsewhere.headers.get("deprecation")]).toEqual([200, null]);
  });

  test("a role at the site is enough there, and gives nothing at another site", async () => {
    const user = await makeUser(editor.tenant, { sites: { one: ["portal.pim.mgmt"] } });
    const { headers } = await makeApiKey(editor.tenant, user.userId);
    const there = { ...headers, "X-Service-Site": "one", "Content-Type": "application/json" };
    expect(
      (await send("PUT /pim/preview/home/configuration", { headers: there, raw: "{}" })).status,
    ).toBe(200);
    const elsewhere = { ...there, "X-Service-Site": "two" };
    const refused = await send("PUT /pim/preview/home/configuration", {
      headers: elsewhere,
      raw: "{}",
    });
    expect([refused.status, refused.body.reason]).toEqual([403, "preview.configuration.write"]);
  });
});

test("304: for the current ETag, weak or in a list, and by date; a 304 has the ETag and no body", async () => {
  const etag = (await api.put("home", '{"v":304}')).headers.get("etag") ?? "";
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = await api.get("home", { "If-None-Match": tag });
    expect([
      answer.status,
      answer.text,
      answer.headers.get("etag"),
      answer.headers.get("cache-control"),
    ]).toEqual([304, "", etag, "private, no-cache, no-transform"]);
  }
  const { headers } = await api.get("home");
  expect(
    (await api.get("home", { "If-Modified-Since": headers.get("last-modified") ?? "" })).status,
  ).toBe(304);
  expect((await api.get("home", { "If-None-Match": '"other"' })).status).toBe(200);
});

describe("412", () => {
  test("for another ETag; the current one, a list that contains it and * succeed", async () => {
    const etag = (await api.put("home", '{"v":1}')).headers.get("etag") ?? "";
    for (const tag of ['"other"', `W/${etag}`]) {
      const refused = await api.put("home", '{"v":2}', { "If-Match": tag });
      expect([refused.status, refused.body.code, refused.headers.get("etag")]).toEqual([
        412,
        "precondition.failed",
        etag,
      ]);
    }
    expect((await api.put("home", "{}", { "If-None-Match": "*" })).status).toBe(412);
    expect(
      (await api.put("home", "{}", { "If-Unmodified-Since": "Sun, 01 Mar 2020 12:00:00 GMT" }))
        .status,
    ).toBe(412);
    expect((await api.get("home")).text).toBe('{"v":1}');
    expect((await api.put("home", '{"v":2}', { "If-Match": `"other", ${etag}` })).status).toBe(200);
    expect((await api.put("home", '{"v":3}', { "If-Match": "*" })).status).toBe(200);
    const inFuture = new Date(Date.now() + 5000).toUTCString();
    expect((await api.put("home", '{"v":4}', { "If-Unmodified-Since": inFuture })).status).toBe(
      200,
    );
  });

  test("20 parallel PUTs with one ETag: one 200 and 19 times 412, 50 rounds", async () => {
    let etag = (await api.put("home", '{"round":0}')).headers.get("etag") ?? "";
    for (let round = 1; round <= 50; round += 1) {
      const tag = etag;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, writer) =>
          api.put("home", `{"round":${round},"writer":${writer}}`, { "If-Match": tag }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect([won.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 19]);
      const stored = await api.get("home");
      expect(stored.text).toBe(won[0]?.text);
      etag = stored.headers.get("etag") ?? "";
    }
  });

  test("without If-Match all of 20 parallel PUTs succeed, and the stored content is one of them", async () => {
    const before = (await send("GET /pim/preview/home", { headers: editor.key })).body.version;
    const texts = Array.from(
      { length: 20 },
      (_, writer) => `{"writer":${writer},"text":"${String(writer).repeat(5000)}"}`,
    );
    const answers = await Promise.all(texts.map((text) => api.put("home", text)));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(texts).toContain((await api.get("home")).text);
    expect((await send("GET /pim/preview/home", { headers: editor.key })).body.version).toBe(
      before + 20,
    );
  });
});
