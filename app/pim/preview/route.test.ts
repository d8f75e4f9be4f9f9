import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { db } from "@/lib/database/open";
import { auditEvents, previewConfigurations } from "@/lib/database/schema/schema";
import { Preview, PreviewRevision } from "@/lib/features/previews/contract";
import { forgetDeletedPreviews } from "@/lib/features/previews/states";
import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import { testDoor } from "@/lib/http/testing/front-door";

const send = testDoor();
let editor: Awaited<ReturnType<typeof makeEditor>>;
let api: ReturnType<typeof configurationOf>;

beforeAll(async () => {
  editor = await makeEditor();
  api = configurationOf(send, editor.key);
});

const call = (operation: string, body?: unknown) =>
  send(operation, { headers: editor.key, ...(body === undefined ? {} : { body }) });
const trail = () =>
  db()
    .select({
      action: auditEvents.action,
      target: auditEvents.target,
      changes: auditEvents.changes,
      requestId: auditEvents.requestId,
    })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, editor.tenant))
    .orderBy(auditEvents.seq);

describe("POST /pim/preview", () => {
  test("201: with Location and ETag, version 1; PUT works from then on", async () => {
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

  test("201: an Idempotency-Key makes it once", async () => {
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
  test("200: newest first, in pages, and nothing of the configurations but what is known", async () => {
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

  test("400: an unknown parameter and a cursor of somebody's own", async () => {
    expect((await call("GET /pim/preview?sort=key")).body.reason).toBe("?sort");
    expect((await call("GET /pim/preview?cursor=abc")).body.reason).toBe("?cursor");
  });
});

describe("DELETE and restore", () => {
  test("204: gone, the key is free; restore brings back the newest with its revisions", async () => {
    await api.create("gone", { v: 1 });
    await api.put("gone", '{"v":2}');
    expect((await call("DELETE /pim/preview/gone")).status).toBe(204);
    expect((await api.get("gone")).status).toBe(404);
    expect((await call("GET /pim/preview/gone/revisions")).status).toBe(404);
    expect((await call("DELETE /pim/preview/gone")).status).toBe(404);
    const deleted = await call("GET /pim/preview?deleted=true");
    expect(deleted.body).toMatchObject([{ key: "gone", version: 2 }]);
    const restored = await call("POST /pim/preview/gone/restore");
    expect([restored.status, restored.body.version]).toEqual([200, 2]);
    expect((await api.get("gone")).text).toBe('{"v":2}');
  });

  test("409: restoring what is there, or a key in use again; 404: restoring what never was", async () => {
    await api.create("twice");
    expect((await call("POST /pim/preview/twice/restore")).body.code).toBe("preview.key-taken");
    await call("DELETE /pim/preview/twice");
    await api.create("twice", { second: true });
    expect((await call("POST /pim/preview/twice/restore")).status).toBe(409);
    expect((await call("POST /pim/preview/never/restore")).status).toBe(404);
  });

  test("of parallel creations and restorations of one key exactly one lands, the others are 409", async () => {
    await api.create("contested");
    await call("DELETE /pim/preview/contested");
    const attempts = Array.from({ length: 20 }, (_, i) =>
      i % 2 ? api.create("contested") : call("POST /pim/preview/contested/restore"),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test("writes that race with deletes, archives and restorations are done or refused, never broken", async () => {
    await api.create("stormy");
    const verbs = [
      "POST /pim/preview/stormy/archive",
      "POST /pim/preview/stormy/unarchive",
      "DELETE /pim/preview/stormy",
      "POST /pim/preview/stormy/restore",
    ];
    const attempts = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? api.put("stormy", `{"i":${i}}`) : call(verbs[(i / 2) % 4] ?? ""),
    );
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
  });

  test("412: a delete that names another state", async () => {
    await api.create("kept");
    const refused = await send("DELETE /pim/preview/kept", {
      headers: { ...editor.key, "If-Match": '"other"' },
    });
    expect([refused.status, (await api.get("kept")).status]).toEqual([412, 200]);
  });

  test("404: after 30 days, when the cleaning forgets it", async () => {
    await api.create("expired");
    await api.create("recent");
    await call("DELETE /pim/preview/expired");
    await call("DELETE /pim/preview/recent");
    const mine = and(
      eq(previewConfigurations.tenantId, editor.tenant),
      eq(previewConfigurations.previewKey, "expired"),
    );
    await db()
      .update(previewConfigurations)
      .set({ deletedAt: new Date(Date.now() - 30 * 86_400_000 - 1000) })
      .where(mine);
    expect((await call("POST /pim/preview/expired/restore")).status).toBe(404);
    await forgetDeletedPreviews(editor.tenant);
    expect(
      await db()
        .select({ key: previewConfigurations.previewKey })
        .from(previewConfigurations)
        .where(mine),
    ).toEqual([]);
    expect((await call("POST /pim/preview/recent/restore")).status).toBe(200);
  });
});

describe("archive", () => {
  test("200: it can be read, not changed, until it is taken out; twice is once", async () => {
    await api.create("season");
    const archived = await call("POST /pim/preview/season/archive");
    expect(archived.body.archivedAt).toMatch(/Z$/);
    expect((await call("POST /pim/preview/season/archive")).body).toEqual(archived.body);
    expect((await api.get("season")).status).toBe(200);
    expect((await api.put("season", "{}")).status).toBe(409);
    expect((await call("POST /pim/preview/season/revisions/1/restore")).status).toBe(409);
    expect((await call("POST /pim/preview/season/unarchive")).body.archivedAt).toBeNull();
    expect((await api.put("season", "{}")).status).toBe(200);
    const actions = (await trail())
      .filter(({ target }) => target.name === "one/season")
      .map(({ action }) => action);
    expect(actions).toEqual([
      "preview.created",
      "preview.archived",
      "preview.unarchived",
      "preview.updated",
    ]);
  });
});

describe("POST /pim/preview/validate", () => {
  test("200: the problems, and nothing is stored", async () => {
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

describe("revisions", () => {
  test("200: who, when, from where; each readable byte for byte, and restored as a new one", async () => {
    await api.create("history", { v: 1 });
    await send("PUT /pim/preview/history/configuration", {
      headers: { ...editor.session, "Content-Type": "application/json" },
      raw: '{ "v": 2 }',
    });
    const restored = await call("POST /pim/preview/history/revisions/1/restore");
    expect([restored.status, restored.body.version]).toEqual([200, 3]);
    expect((await api.get("history")).text).toBe('{"v":1}');
    const list = await call("GET /pim/preview/history/revisions");
    const revisions = z.array(PreviewRevision).parse(list.body);
    expect(revisions.map(({ n, via, by }) => [n, via, by.login])).toEqual([
      [3, "apiKey", editor.login],
      [2, "session", editor.login],
      [1, "apiKey", editor.login],
    ]);
    expect(revisions[0]?.hash).toBe(revisions[2]?.hash);
    const second = await call("GET /pim/preview/history/revisions/2");
    expect([second.text, second.headers.get("etag")]).toEqual([
      '{ "v": 2 }',
      `"${revisions[1]?.hash}"`,
    ]);
    const paged = await call("GET /pim/preview/history/revisions?limit=1");
    expect([paged.body.length, paged.headers.get("link")?.includes('rel="next"')]).toEqual([
      1,
      true,
    ]);
  });

  test("404: numbers that are none; 412: restoring over another state", async () => {
    for (const n of ["0", "4", "01", "1.5", "-1", "x", "99999999999"]) {
      expect((await call(`GET /pim/preview/history/revisions/${n}`)).status, n).toBe(404);
      expect((await call(`POST /pim/preview/history/revisions/${n}/restore`)).status, n).toBe(404);
    }
    const headers = { ...editor.key, "If-Match": '"other"' };
    expect((await send("POST /pim/preview/history/revisions/2/restore", { headers })).status).toBe(
      412,
    );
  });
});

test("the trail tells revisions and hashes, never the content", async () => {
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
