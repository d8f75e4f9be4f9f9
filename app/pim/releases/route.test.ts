import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import { Release } from "@/lib/features/previews/releases/contract";
import {
  both,
  makeReleaser,
  type Releaser,
} from "@/lib/features/previews/releases/testing/release-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: Releaser;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeReleaser(send);
  await world.draft("home", "sale");
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

const trail = () => actionsOf(world.tenant);

describe("201", () => {
  test("a release names the newest revision of each configuration, and changes nothing yet", async () => {
    const created = await world.create(both);
    expect(created.status, created.text).toBe(201);
    expect(created.headers.get("location")).toBe(`/pim/releases/${created.body.id}`);
    expect(Release.parse(created.body)).toMatchObject({
      name: "Winter",
      state: "open",
      at: null,
      createdBy: world.userId,
      entries: [
        { key: "home", stage: "live", version: 1, publishedVersion: null },
        { key: "sale", stage: "staged", version: 1, publishedVersion: null },
      ],
    });
    expect(await world.stages("home", "sale")).toEqual(["draft", "draft"]);
    expect((await world.show(created.body.id)).body).toEqual(created.body);
  });

  test("a release with a publication time is scheduled on behalf of its creator", async () => {
    const at = inMs(60_000);
    const { body } = await world.create({ ...both, at });
    expect(body).toMatchObject({ state: "scheduled", at, scheduledBy: world.userId });
  });
});

describe("200", () => {
  test("a publication changes the stage of every configuration, and no other byte", async () => {
    const raw = '{ "stage" : "draft",\n  "price": 1.10 }';
    await world.previews.put("home", raw);
    const id = await world.made();
    const published = await world.publish(id);
    expect(published.status, published.text).toBe(200);
    expect(published.body).toMatchObject({
      state: "published",
      entries: [
        { key: "home", version: 2, publishedVersion: 3 },
        { key: "sale", version: 1, publishedVersion: 2 },
      ],
    });
    expect((await world.previews.get("home")).text).toBe('{ "stage" : "live",\n  "price": 1.10 }');
    expect(await world.stages("home", "sale")).toEqual(["live", "staged"]);
    const { body } = await send("GET /pim/preview/home/revisions", { headers: world.headers });
    expect(body[0]).toMatchObject({ n: 3, via: "release", by: { id: world.userId } });
    expect((await trail()).slice(-3)).toEqual([
      "preview.updated",
      "preview.updated",
      "release.published",
    ]);
  });

  test("a configuration that has the stage already gets no revision", async () => {
    await world.previews.put("home", '{"stage":"live"}');
    const { body } = await world.publish(await world.made());
    expect(body.entries[0]).toMatchObject({ key: "home", version: 2, publishedVersion: 2 });
  });

  test("an open release is scheduled, scheduled again, changed and cancelled", async () => {
    const id = await world.made();
    const [first, second] = [inMs(60_000), inMs(120_000)];
    expect((await world.publish(id, { at: first })).body).toMatchObject({
      state: "scheduled",
      at: first,
    });
    expect((await world.publish(id, { at: second })).body.at).toBe(second);
    const changed = await world.change(id, { name: "Spring", entries: [{ key: "sale" }] });
    expect(changed.body).toMatchObject({ name: "Spring", entries: [{ key: "sale" }] });
    const cancelled = await world.cancel(id);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, "cancelled"]);
    expect((await trail()).slice(-5)).toEqual([
      "release.created",
      "release.scheduled",
      "release.scheduled",
      "release.updated",
      "release.cancelled",
    ]);
  });

  test("the list shows the releases of the site, newest first, page by page", async () => {
    const ids = [await world.made(), await world.made(), await world.made()];
    const first = await send("GET /pim/releases?limit=2", { headers: world.headers });
    expect(first.body.map(({ id }: Release) => id)).toEqual([ids[2], ids[1]]);
    const next = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1];
    const second = await send(`GET ${next}`, { headers: world.headers });
    expect(second.body.map(({ id }: Release) => id)).toEqual([ids[0]]);
    const elsewhere = { ...world.headers, "X-Service-Site": "two" };
    expect((await send("GET /pim/releases", { headers: elsewhere })).body).toEqual([]);
  });

  test("a program creates and publishes with a key that has the permission", async () => {
    const row = { kind: "service" } as const;
    const { userId } = await makeUser(world.tenant, { roleIds: ["portal.pim.mgmt"], row });
    const permissions = ["preview.configuration.write" as const];
    const key = await makeApiKey(world.tenant, userId, { permissions });
    const headers = { ...key.headers, "X-Service-Site": "one" };
    const body = { name: "By CI", entries: [{ key: "home" }], at: inMs(60_000) };
    const created = await send("POST /pim/releases", { headers, body });
    expect(created.body).toMatchObject({ state: "scheduled", scheduledBy: userId });
    const published = await send(`POST /pim/releases/${created.body.id}/publish`, { headers });
    expect([published.status, published.body.state]).toEqual([200, "published"]);
  });
});

test("204: published revisions of a deleted release stay", async () => {
  const id = await world.made();
  await world.publish(id);
  expect((await world.remove(id)).status).toBe(204);
  expect((await world.show(id)).status).toBe(404);
  expect(await world.stages("home")).toEqual(["live"]);
});

describe("304 and 412", () => {
  test("an ETag shows whether a release has changed since it was read", async () => {
    const id = await world.made();
    const etag = (await world.show(id)).headers.get("etag") ?? "";
    const again = await send(`GET /pim/releases/${id}`, {
      headers: { ...world.headers, "If-None-Match": etag },
    });
    expect(again.status).toBe(304);
    expect((await world.change(id, { name: "Spring" }, { "If-Match": etag })).status).toBe(200);
    expect((await world.change(id, { name: "May" }, { "If-Match": etag })).status).toBe(412);
    expect((await world.remove(id, { "If-Match": etag })).status).toBe(412);
  });
});

describe("400", () => {
  test.each([
    ["an unknown key", { entries: [{ key: "none" }] }, "/entries/0/key"],
    ["a key twice", { entries: [{ key: "home" }, { key: "home" }] }, "/entries/1/key"],
    ["no entries", { entries: [] }, "/entries"],
    ["an unknown stage", { entries: [{ key: "home", stage: "gone" }] }, "/entries/0/stage"],
    ["an instant that has passed", { ...both, at: "2020-01-01T00:00:00Z" }, "/at"],
    ["an instant too far ahead", { ...both, at: "2100-01-01T00:00:00Z" }, "/at"],
  ])("%s", async (_, body, reason) => {
    const answer = await world.create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("more than 50 entries", async () => {
    const entries = Array.from({ length: 51 }, (_, n) => ({ key: `k${n}` }));
    expect((await world.create({ entries })).status).toBe(400);
  });
});

describe("403", () => {
  test("without the permission to write at the site", async () => {
    const { userId } = await makeUser(world.tenant, { roleIds: ["portal.catalog.mgmt"] });
    const { headers } = await makeSession(world.tenant, userId);
    const answer = await send("GET /pim/releases", {
      headers: { ...headers, "X-Service-Site": "one" },
    });
    expect([answer.status, answer.body.reason]).toEqual([403, "preview.configuration.write"]);
  });
});

test("404 for a release of another site", async () => {
  const id = await world.made();
  const headers = { ...world.headers, "X-Service-Site": "two" };
  const answers = [
    await send(`GET /pim/releases/${id}`, { headers }),
    await send(`PATCH /pim/releases/${id}`, { headers, body: { name: "x" } }),
    await send(`DELETE /pim/releases/${id}`, { headers }),
    await send(`POST /pim/releases/${id}/publish`, { headers }),
    await send(`POST /pim/releases/${id}/cancel`, { headers }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [404, "release.not-found"]),
  );
});
