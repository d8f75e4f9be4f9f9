import { beforeAll, describe, expect, test } from "vitest";
import {
  configurationOf,
  type Headers,
  makeEditor,
} from "@/lib/features/previews/testing/preview-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let editor: Awaited<ReturnType<typeof makeEditor>>;
let api: ReturnType<typeof configurationOf>;
let reader: Headers;

beforeAll(async () => {
  editor = await makeEditor();
  api = configurationOf(send, editor.key);
  await api.create("home", { v: 1 });
  const { userId } = await makeUser(editor.tenant, { roleIds: ["portal.catalog.mgmt"] });
  reader = { ...(await makeApiKey(editor.tenant, userId)).headers, "X-Service-Site": "one" };
});

const bad = { Accept: "text/html", "Content-Type": "text/plain", "If-Match": '"other"' };
const path = "PUT /pim/preview/home/configuration";

describe("the order of checks: each request is also invalid for every later check", () => {
  test("400: the site header is missing, before the credential", async () => {
    const answer = await send(path, {
      headers: { "X-Service-Tenant": editor.tenant, ...bad },
      raw: "[",
    });
    expect([answer.status, answer.body.reason]).toEqual([400, "X-Service-Site"]);
  });

  test("405: before the credential, with Allow", async () => {
    const headers = { "X-Service-Tenant": editor.tenant, "X-Service-Site": "nowhere", ...bad };
    for (const method of ["POST", "PATCH", "DELETE"]) {
      const answer = await send(`${method} /pim/preview/home/configuration`, { headers, raw: "[" });
      expect([answer.status, answer.body.name, answer.headers.get("allow")]).toEqual([
        405,
        "MethodNotAllowedError",
        "GET, HEAD, PUT, OPTIONS",
      ]);
    }
  });

  test("401: no credential, and another tenant's, before the unknown site", async () => {
    const nowhere = { "X-Service-Site": "nowhere", ...bad };
    const other = await makeEditor();
    for (const headers of [
      { "X-Service-Tenant": editor.tenant },
      { ...other.key, "X-Service-Tenant": editor.tenant },
    ]) {
      expect((await send(path, { headers: { ...headers, ...nowhere }, raw: "[" })).status).toBe(
        401,
      );
    }
  });

  test("400: an unknown site, before the role", async () => {
    const answer = await send(path, {
      headers: { ...reader, "X-Service-Site": "nowhere", ...bad },
      raw: "[",
    });
    expect([answer.status, answer.body.code]).toEqual([400, "site.unknown"]);
  });

  test("403: a read-only role, before Accept", async () => {
    const answer = await send(path, { headers: { ...reader, ...bad }, raw: "[" });
    expect([answer.status, answer.body.reason]).toEqual([403, "preview.configuration.write"]);
  });

  test("406: before Content-Type", async () => {
    expect((await api.put("unknown", "[", bad)).status).toBe(406);
  });

  test("415: before the syntax; a Content-Encoding too", async () => {
    expect((await api.put("unknown", "[", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await api.put("unknown", "{}", { "Content-Encoding": "gzip" })).status).toBe(415);
  });

  test.each([
    ["no JSON", "[", "request.invalid-json"],
    ["an array", "[]", "request.validation-failed"],
    ["null", "null", "request.validation-failed"],
    ["nothing", "", "request.invalid-json"],
    ["a member twice", '{"a":1,"\\u0061":2}', "request.invalid-json"],
    ["33 levels", `${'{"a":'.repeat(32)}{}${"}".repeat(32)}`, "request.invalid-json"],
    ["half a surrogate pair", '{"a":"\\ud83d"}', "request.invalid-json"],
    ["a byte order mark", "\ufeff{}", "request.invalid-json"],
    [
      "invalid UTF-8",
      Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "request.invalid-json",
    ],
  ])("400: %s, before the unknown key", async (_, raw, code) => {
    const answer = await api.put("unknown", raw, { "If-Match": '"other"' });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  test("400: an invalid If-Match, before the unknown key", async () => {
    const answer = await api.put("unknown", "{}", { "If-Match": "other" });
    expect([answer.status, answer.body.code]).toEqual([400, "precondition.invalid"]);
  });

  test("404: PUT never creates, and ignores preconditions for an unknown key", async () => {
    for (const more of [
      {},
      { "If-Match": '"other"' },
      { "If-Match": "*" },
      { "If-None-Match": "*" },
    ]) {
      const answer = await api.put("unknown", "{}", more);
      expect([answer.status, answer.body.code]).toEqual([404, "preview.not-found"]);
    }
    expect((await api.get("unknown")).status).toBe(404);
  });

  test("400: a control character, as in every path", async () => {
    const answer = await api.put("%01", "{}");
    expect([answer.status, answer.body.code]).toEqual([400, "request.validation-failed"]);
  });

  test("404: an invalid key", async () => {
    for (const key of ["a%2Fb", ".hidden", "a%20b", "x".repeat(129), "validate"]) {
      expect((await api.put(key, "{}")).status, key).toBe(404);
      for (const verb of ["archive", "unarchive", "restore"]) {
        expect(
          (await send(`POST /pim/preview/${key}/${verb}`, { headers: editor.key })).status,
          `${key} ${verb}`,
        ).toBe(404);
      }
    }
  });

  test("412 before 409: an archived configuration whose ETag differs; 409 with the right one or none", async () => {
    await api.create("old");
    await send("POST /pim/preview/old/archive", { headers: editor.key });
    expect((await api.put("old", "{}", { "If-Match": '"other"' })).status).toBe(412);
    const { headers } = await api.get("old");
    for (const more of [{}, { "If-Match": headers.get("etag") ?? "" }]) {
      const answer = await api.put("old", "{}", more);
      expect([answer.status, answer.body.code, answer.body.name]).toEqual([
        409,
        "preview.archived",
        "ConflictError",
      ]);
    }
  });
});

test("413: one byte over 256 KiB, with and without Content-Length", async () => {
  const tooLong = `{"a":"${"x".repeat(256 * 1024 - 7)}"}`;
  const answer = await api.put("home", tooLong);
  expect([answer.status, answer.body.code]).toEqual([413, "request.body-too-large"]);
});

test("problem+json on request", async () => {
  const answer = await api.put("unknown", "{}", {
    Accept: "application/json, application/problem+json",
  });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({ status: 404, code: "preview.not-found" });
});

describe("two tenants with the same site and key", () => {
  test("each sees and changes only its own", async () => {
    const other = await makeEditor();
    const theirs = configurationOf(send, other.key);
    await theirs.create("home", { whose: "theirs" });
    await api.put("home", '{"whose":"ours"}');
    expect((await theirs.get("home")).text).toBe('{"whose":"theirs"}');
    expect((await api.get("home")).text).toBe('{"whose":"ours"}');
    await send("DELETE /pim/preview/home", { headers: other.key });
    expect((await api.get("home")).status).toBe(200);
    const listed = await send("GET /pim/preview?deleted=true", { headers: editor.key });
    expect(listed.body).toEqual([]);
  });

  test("each site of a tenant has its own keys", async () => {
    const atTwo = { ...editor.key, "X-Service-Site": "two" };
    expect((await send("GET /pim/preview/home/configuration", { headers: atTwo })).status).toBe(
      404,
    );
    expect((await configurationOf(send, atTwo).create("home", { site: 2 })).status).toBe(201);
    expect((await api.get("home")).text).not.toBe('{"site":2}');
  });
});
