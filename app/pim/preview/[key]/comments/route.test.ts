import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, previewComments } from "@/lib/database/schema/schema";
import type { PreviewComment } from "@/lib/features/previews/comments/contract";
import { makeSharer, type Sharer } from "@/lib/features/previews/shares/testing/share-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let world: Sharer;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeSharer(send);
});

const path = "/pim/preview/home/comments";
const say = (headers: Headers, body: object) => send(`POST ${path}`, { headers, body });
const change = (headers: Headers, id: string, body: object) =>
  send(`PATCH ${path}/${id}`, { headers, body });
const remove = (headers: Headers, id: string) => send(`DELETE ${path}/${id}`, { headers });
const list = (headers: Headers) => send(`GET ${path}`, { headers });

/** A user who may read the site's configurations but not write them. */
async function reader(): Promise<Headers> {
  const { userId } = await makeUser(world.tenant, { roleIds: ["portal.catalog.mgmt"] });
  const { headers } = await makeSession(world.tenant, userId);
  return { ...headers, "X-Service-Site": "one" };
}

describe("201 and 200", () => {
  test("users and visitors comment on places of a configuration, newest first", async () => {
    const visitor = await world.visitor();
    const first = await say(world.headers, { pointer: "/title", text: " Shorter? \n" });
    expect(first.status, first.text).toBe(201);
    expect(first.headers.get("location")).toBe(`${path}/${first.body.id}`);
    expect(first.body).toMatchObject({
      pointer: "/title",
      text: "Shorter?",
      version: 1,
      resolved: false,
      author: { type: "user", id: world.userId, login: world.login },
    });
    const second = await say(visitor.headers, { text: "<b>Fine</b> by us" });
    expect(second.body).toMatchObject({
      pointer: null,
      text: "<b>Fine</b> by us",
      author: { type: "share", id: visitor.id },
    });
    for (const headers of [world.headers, visitor.headers])
      expect((await list(headers)).body.map(({ id }: PreviewComment) => id)).toEqual([
        second.body.id,
        first.body.id,
      ]);
    const [entry] = await db()
      .select({ actor: auditEvents.actor, changes: auditEvents.changes })
      .from(auditEvents)
      .where(
        and(eq(auditEvents.tenantId, world.tenant), eq(auditEvents.action, "preview.commented")),
      )
      .orderBy(auditEvents.seq)
      .limit(1);
    expect(JSON.stringify(entry)).not.toContain("Shorter");
  });

  test("users resolve any comment and reopen it; everybody changes their own", async () => {
    const visitor = await world.visitor();
    const { body } = await say(visitor.headers, { text: "Too dark" });
    const resolved = await change(await reader(), body.id, { resolved: true });
    expect([resolved.status, resolved.body.resolved]).toEqual([200, true]);
    const own = await change(visitor.headers, body.id, { text: "Still dark", resolved: false });
    expect(own.body).toMatchObject({ text: "Still dark", resolved: false });
  });
});

test("204: authors delete their own, and users with the right to write delete any", async () => {
  const visitor = await world.visitor();
  const [own, other] = [
    await say(visitor.headers, { text: "a" }),
    await say(visitor.headers, { text: "b" }),
  ];
  expect((await remove(visitor.headers, own.body.id)).status).toBe(204);
  expect((await remove(world.headers, other.body.id)).status).toBe(204);
  expect((await list(world.headers)).body).toEqual([]);
});

describe("400", () => {
  test.each([
    ["an empty text", { text: "  \n " }, "/text"],
    ["a text that is too long", { text: "x".repeat(2001) }, "/text"],
    ["control characters", { text: "a\u0007b" }, "/text"],
    ["what is no JSON Pointer", { text: "a", pointer: "title" }, "/pointer"],
    ["a wrong escape", { text: "a", pointer: "/a~2" }, "/pointer"],
  ])("%s", async (_, body, reason) => {
    const answer = await say(world.headers, body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });
});

describe("403", () => {
  test("changing or deleting another author's comment needs the right", async () => {
    const visitor = await world.visitor();
    const { body } = await say(world.headers, { text: "Mine" });
    const someone = await reader();
    const answers = [
      await change(someone, body.id, { text: "Yours" }),
      await change(visitor.headers, body.id, { resolved: true }),
      await remove(someone, body.id),
      await remove(visitor.headers, body.id),
    ];
    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
      answers.map(() => [403, "preview.comment-of-other"]),
    );
  });
});

test("404 for a comment of another configuration, and for another configuration by a share", async () => {
  const visitor = await world.visitor();
  const { body } = await say(world.headers, { text: "a" });
  const { headers } = world;
  const elsewhere = `/pim/preview/sale/comments/${body.id}`;
  const answers = [
    await send(`PATCH ${elsewhere}`, { headers, body: { resolved: true } }),
    await send(`DELETE ${elsewhere}`, { headers }),
  ];
  expect(answers.map(({ body: { code } }) => code)).toEqual(
    answers.map(() => "preview.comment-not-found"),
  );
  for (const [operation, sent] of [
    ["GET /pim/preview/sale/comments", {}],
    ["POST /pim/preview/sale/comments", { body: { text: "a" } }],
    [`PATCH ${elsewhere}`, { body: { resolved: true } }],
    [`DELETE ${elsewhere}`, {}],
  ] as const) {
    const answer = await send(operation, { headers: visitor.headers, ...sent });
    expect([answer.status, answer.body.code]).toEqual([404, "preview.not-found"]);
  }
});

test("200: a visitor sees the names of users, but neither their ids nor their logins", async () => {
  const visitor = await world.visitor();
  await say(world.headers, { text: "Shorter?" });
  await say(visitor.headers, { text: "Fine" });
  const shown = await list(visitor.headers);
  expect(shown.body.map(({ author }: PreviewComment) => author)).toEqual([
    { type: "share", id: visitor.id },
    { type: "user", id: "", name: "Ada Example" },
  ]);
  expect(shown.text).not.toContain(world.userId);
  expect(shown.text).not.toContain(world.login);
  expect((await list(world.headers)).body[1].author).toEqual({
    ...{ type: "user", id: world.userId, login: world.login, name: "Ada Example" },
  });
});

test("409 for more than 200 comments of visitors, and the team still comments", async () => {
  const visitor = await world.visitor();
  const { body } = await say(visitor.headers, { text: "first" });
  const [row] = await db()
    .select()
    .from(previewComments)
    .where(eq(previewComments.tenantId, world.tenant));
  if (!row) throw new Error(`the comment ${body.id} is gone`);
  const more = Array.from({ length: 199 }, (_, n) => ({ ...row, commentId: `cmt_${n}` }));
  await db().insert(previewComments).values(more);
  const answer = await say((await world.visitor()).headers, { text: "one too many" });
  expect([answer.status, answer.body.code]).toEqual([409, "preview.limit-reached"]);
  expect((await say(world.headers, { text: "We are done here" })).status).toBe(201);
});

test("409 for more than 500 comments of the team, and visitors still comment", async () => {
  const { body } = await say(world.headers, { text: "first" });
  const [row] = await db()
    .select()
    .from(previewComments)
    .where(eq(previewComments.tenantId, world.tenant));
  if (!row) throw new Error(`the comment ${body.id} is gone`);
  const more = Array.from({ length: 499 }, (_, n) => ({ ...row, commentId: `cmt_${n}` }));
  await db().insert(previewComments).values(more);
  const answer = await say(world.headers, { text: "one too many" });
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: "preview.limit-reached", reason: "comments" },
  ]);
  expect((await say((await world.visitor()).headers, { text: "Fine" })).status).toBe(201);
});
