import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { previewConfigurations } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { forgetDeletedPreviews } from "@/lib/features/previews/states";
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

describe("DELETE and restore", () => {
  test("204: deleted, and the key is free; restoring brings back the newest content with its revisions", async () => {
    await api.create("gone", { v: 1 });
    await api.put("gone", '{"v":2}');
    expect((await call("DELETE /pim/preview/gone")).status).toBe(204);
    expect((await api.get("gone")).status).toBe(404);
    expect((await call("GET /pim/preview/gone/revisions")).status).toBe(404);
    expect((await call("GET /pim/preview/gone")).body.code).toBe("preview.not-found");
    expect((await call("DELETE /pim/preview/gone")).status).toBe(404);
    const deleted = await call("GET /pim/preview?deleted=true");
    expect(deleted.body).toMatchObject([{ key: "gone", version: 2 }]);
    const restored = await call("POST /pim/preview/gone/restore");
    expect([restored.status, restored.body.version]).toEqual([200, 2]);
    expect((await api.get("gone")).text).toBe('{"v":2}');
  });

  test("409: restoring an existing configuration, or one whose key is in use again; 404: an unknown one", async () => {
    await api.create("twice");
    expect((await call("POST /pim/preview/twice/restore")).body.code).toBe("preview.key-taken");
    await call("DELETE /pim/preview/twice");
    await api.create("twice", { second: true });
    expect((await call("POST /pim/preview/twice/restore")).status).toBe(409);
    expect((await call("POST /pim/preview/never/restore")).status).toBe(404);
  });

  test("of parallel creations and restorations of one key exactly one succeeds, the others are 409", async () => {
    await api.create("contested");
    await call("DELETE /pim/preview/contested");
    const attempts = Array.from({ length: 20 }, (_, i) =>
      i % 2 ? api.create("contested") : call("POST /pim/preview/contested/restore"),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test("writes that race with deletes, archives and restorations succeed or are rejected, never corrupt data", async () => {
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

  test("412: a delete with an outdated ETag", async () => {
    await api.create("kept");
    const refused = await send("DELETE /pim/preview/kept", {
      headers: { ...editor.key, "If-Match": '"other"' },
    });
    expect([refused.status, (await api.get("kept")).status]).toEqual([412, 200]);
  });

  test("404: after 30 days, when the cleanup removes it", async () => {
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
  test("200: it can be read, not changed, until it is unarchived; both are idempotent", async () => {
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
