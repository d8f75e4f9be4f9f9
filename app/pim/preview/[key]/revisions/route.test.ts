import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PreviewRevision } from "@/lib/features/previews/contract";
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

describe("revisions", () => {
  test("200: author, time and client; each can be read byte for byte, and restored as a new revision", async () => {
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

  test("404: invalid or unknown numbers; 412: restoring over another state", async () => {
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
