import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { Preview } from "@/lib/features/previews/contract";
import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let editor: Awaited<ReturnType<typeof makeEditor>>;
let api: ReturnType<typeof configurationOf>;

beforeAll(async () => {
  editor = await makeEditor();
  api = configurationOf(send, editor.key);
});

const call = (operation: string, body?: unknown) =>
  send(operation, { headers: editor.key, ...(body === undefined ? {} : { body }) });
const trail = () => trailOf(editor.tenant);

describe("POST /pim/preview", () => {
  test("201: with Location and ETag, version 1; PUT works afterwards", async () => {
    const answer = await api.create("new.one", { title: "New", enabled: false, stage: "draft" });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      201,
      "/pim/preview/new.one/configuration",
    ]);
    expect(Preview.parse(answer.body)).toMatchObject({
      key: "new.one",
      title: "New",
      enabled: false,
      stage: "draft",
      version: 1,
      problems: [],
    });
    expect(answer.body.updatedBy).toEqual({ id: editor.userId, login: editor.login });
    const get = await send(`GET ${answer.headers.get("location")}`, { headers: editor.key });
    expect(get.headers.get("etag")).toBe(answer.headers.get("etag"));
    expect((await api.put("new.one", "{}")).status).toBe(200);
  });

  test("409: an existing key, also in 20 parallel requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.create("race")));
    const [created, ...refused] = answers.sort((a, b) => a.status - b.status);
    expect(created?.status).toBe(201);
    for (const answer of refused)
      expect([answer.status, answer.body.code]).toEqual([409, "preview.key-taken"]);
  });

  test.each([
    ["a key with a slash", { key: "a/b", configuration: {} }, "/key"],
    ["a key that is an operation's path", { key: "validate", configuration: {} }, "/key"],
    ["a configuration that is no object", { key: "a", configuration: [] }, "/configuration"],
    ["no configuration", { key: "a" }, "/configuration"],
    ["an unknown member", { key: "a", configuration: {}, title: "x" }, "/title"],
  ])("400: %s", async (_, body, reason) => {
    const answer = await call("POST /pim/preview", body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("201: retries with an Idempotency-Key create it once", async () => {
    const headers = { ...editor.key, "Idempotency-Key": "once" };
    const body = { key: "once", configuration: { a: 1 } };
    const first = await send("POST /pim/preview", { headers, body });
    const again = await send("POST /pim/preview", { headers, body });
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(again.text).toBe(first.text);
  });
});

describe("GET /pim/preview", () => {
  test("200: newest first, in pages, with metadata only", async () => {
    const own = await makeEditor();
    const theirs = configurationOf(send, own.key);
    for (const key of ["a", "b", "c"])
      await theirs.create(key, { title: key.toUpperCase(), secret: "kept out" });
    const first = await send("GET /pim/preview?limit=2", { headers: own.key });
    expect(
      z
        .array(Preview)
        .parse(first.body)
        .map(({ key, title }) => [key, title]),
    ).toEqual([
      ["c", "C"],
      ["b", "B"],
    ]);
    expect(first.text).not.toContain("kept out");
    const next = first.headers.get("link")?.match(/<([^>]*)>; rel="next"/)?.[1];
    const second = await send(`GET ${next}`, { headers: own.key });
    expect(second.body.map(({ key }: Preview) => key)).toEqual(["a"]);
    expect(second.headers.get("link")).toBeNull();
  });

  test("400: an unknown parameter and a forged cursor", async () => {
    expect((await call("GET /pim/preview?sort=key")).body.reason).toBe("?sort");
    expect((await call("GET /pim/preview?cursor=abc")).body.reason).toBe("?cursor");
  });
});

describe("POST /pim/preview/validate", () => {
  test("200: returns the problems and stores nothing", async () => {
    const before = (await trail()).length;
    const answer = await call("POST /pim/preview/validate", {
      title: 1,
      locales: ["de", 5],
      mine: {},
    });
    expect(answer.body).toEqual({
      problems: [
        { pointer: "/title", detail: "/title must be a string." },
        { pointer: "/locales/1", detail: "/locales/1 must be a string." },
      ],
    });
    expect((await call("POST /pim/preview/validate", {})).body).toEqual({ problems: [] });
    expect(await trail()).toHaveLength(before);
  });
});

test("the trail has revisions and hashes, never the content", async () => {
  await api.create("audited", { secret: "do not repeat" });
  const put = await send("PUT /pim/preview/audited/configuration", {
    headers: { ...editor.key, "Content-Type": "application/json", "X-Service-Request-Id": "put-1" },
    raw: '{"secret":"do not repeat either"}',
  });
  const entry = (await trail()).find(({ requestId }) => requestId === "put-1");
  expect(entry).toMatchObject({
    action: "preview.updated",
    target: { type: "preview", name: "one/audited" },
    changes: {
      revision: { before: 1, after: 2 },
      hash: { after: put.headers.get("etag")?.slice(1, -1) },
    },
  });
  expect(JSON.stringify(await trail())).not.toContain("do not repeat");
});
