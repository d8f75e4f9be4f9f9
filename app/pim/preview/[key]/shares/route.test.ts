import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { db } from "@/lib/database/open";
import { previewShares, users } from "@/lib/database/schema/schema";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import { makeSharer, type Sharer } from "@/lib/features/previews/shares/testing/share-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: Sharer;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeSharer(send);
});

type Headers = Record<string, string>;
const read = (headers: Headers, key = "home") =>
  send(`GET /pim/preview/${key}/configuration`, { headers });

describe("201", () => {
  test("a link with the token in its fragment, shown once; the store has only its hash", async () => {
    const { status, body, headers } = await world.create({ comment: "For the agency" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/pim/preview/home/shares/${body.id}`);
    expect(body).toMatchObject({
      status: "active",
      comment: "For the agency",
      createdBy: world.userId,
    });
    const { pathname, search, hash } = new URL(body.url);
    expect(pathname).toBe(`/shared/${world.tenant}/one/home`);
    expect(search).toBe("");
    expect(hash).toMatch(/^#token=svv_[0-9A-Za-z]{43}$/);
    const { url, ...listed } = body;
    expect((await world.list()).body).toEqual([listed]);
    const rows = await db()
      .select()
      .from(previewShares)
      .where(eq(previewShares.tenantId, world.tenant));
    expect(JSON.stringify(rows)).not.toContain(hash.slice(7));
  });
});

describe("200", () => {
  test("the exchange gives read access to exactly one configuration, byte for byte", async () => {
    const { headers } = await world.visitor();
    const shown = await read(headers);
    expect([shown.status, shown.text]).toEqual([200, '{"title":"Home"}']);
    expect((await read(headers, "sale")).status).toBe(404);
    const elsewhere = { ...headers, "X-Service-Site": "two" };
    expect((await read(elsewhere)).status).toBe(401);
  });

  test("a share gives access only to its configuration and the comments on it", async () => {
    const { headers } = await world.visitor();
    const others = [
      "GET /pim/preview",
      "GET /pim/preview/home",
      "GET /pim/preview/home/revisions",
      "GET /pim/preview/home/shares",
      "POST /pim/preview/home/archive",
      "DELETE /pim/preview/home",
      "GET /pim/releases",
      "GET /v1/user/profile",
      "GET /v1/tenant",
    ];
    for (const operation of others)
      expect((await send(operation, { headers })).status, operation).toBe(401);
  });

  test("a link is exchanged each time that it is opened", async () => {
    const { token } = await world.visitor();
    const again = await world.exchange(token);
    expect(again.body).toMatchObject({ share: expect.stringMatching(/^shr_/) });
    expect(again.body.expiresIn).toBeGreaterThan(3000);
    expect(again.body.expiresIn).toBeLessThanOrEqual(3600);
  });
});

describe("204", () => {
  test("a revoked share is rejected at the next request, and its link too", async () => {
    const { id, token, headers } = await world.visitor();
    expect((await world.revoke(id)).status).toBe(204);
    const rejected = await read(headers);
    expect([rejected.status, rejected.body.code]).toEqual([401, "auth.credentials-invalid"]);
    expect((await world.exchange(token)).body.code).toBe("auth.link-invalid");
    expect((await world.list()).body).toEqual([]);
    expect((await actionsOf(world.tenant)).slice(-2)).toEqual([
      "preview.shared",
      "preview.share-revoked",
    ]);
  });
});

describe("400", () => {
  test.each([
    ["an instant that has passed", { validTo: "2020-01-01T00:00:00Z" }, "/validTo"],
    ["an instant too far ahead", { validTo: "2100-01-01T00:00:00Z" }, "/validTo"],
    ["a comment that is too long", { comment: "x".repeat(257) }, "/comment"],
  ])("%s", async (_, body, reason) => {
    const answer = await world.create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("a share combined with another credential", async () => {
    const { headers } = await world.visitor();
    const answer = await read({ ...headers, ...world.headers });
    expect([answer.status, answer.body.code]).toEqual([400, "auth.ambiguous-credentials"]);
  });
});

describe("401", () => {
  test("a token that is unknown, of another key, or of another site", async () => {
    const { token } = await world.visitor();
    const answers = [
      await world.exchange(`${token.slice(0, -1)}_`),
      await world.exchange(token, "sale"),
      await world.exchange(token, "home", { "X-Service-Site": "two" }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [401, "auth.link-invalid"]),
    );
  });

  test("an access token that was changed, or of another tenant", async () => {
    const { headers } = await world.visitor();
    const other = await makeSharer(send);
    const token = headers["X-Service-Preview-Share"] ?? "";
    const [id, , mac] = token.split(".");
    const later = [id, (Date.now() + 10 ** 10).toString(36), mac].join(".");
    const answers = [
      await read({ ...headers, "X-Service-Preview-Share": later }),
      await read({ ...other.place, "X-Service-Preview-Share": token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("the author of the share lost the permission: share and link are invalid", async () => {
    const { token, headers } = await world.visitor();
    const { tenant: tenantId, userId } = world;
    const author = and(eq(users.tenantId, tenantId), eq(users.userId, userId));
    await withAccessChange(tenantId, (tx) => tx.update(users).set({ grants: "" }).where(author));
    expect((await read(headers)).status).toBe(401);
    expect((await world.exchange(token)).body.code).toBe("link.void");
    const admin = await makeUser(tenantId, { roleIds: ["tenant.admin"] });
    const session = await makeSession(tenantId, admin.userId);
    const { body } = await send("GET /pim/preview/home/shares", {
      headers: { ...session.headers, "X-Service-Site": "one" },
    });
    expect(body[0].status).toBe("void");
  });

  test("the sessions of the author of the share were ended since its creation", async () => {
    const { headers } = await world.visitor();
    const { tenant: tenantId, userId } = world;
    await db()
      .update(users)
      .set({ credentialEpoch: 7 })
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
    expect((await read(headers)).status).toBe(401);
  });
});

test("403 for an expired share and link", async () => {
  const { id, token, headers } = await world.visitor();
  const past = new Date(Date.now() - 1000);
  await db()
    .update(previewShares)
    .set({ validTo: past })
    .where(and(eq(previewShares.tenantId, world.tenant), eq(previewShares.shareId, id)));
  const answer = await read(headers);
  expect([answer.status, answer.body]).toMatchObject([
    403,
    { code: "auth.credentials-expired", reason: past.toISOString() },
  ]);
  expect((await world.exchange(token)).body.code).toBe("auth.link-expired");
  expect((await world.list()).body[0].status).toBe("expired");
});

describe("404", () => {
  test("an unknown share and an unknown configuration", async () => {
    expect((await world.revoke("shr_none")).body.code).toBe("preview.share-not-found");
    const { headers } = world;
    const body = { validTo: new Date(Date.now() + 60_000).toISOString() };
    const answers = [
      await send("GET /pim/preview/none/shares", { headers }),
      await send("POST /pim/preview/none/shares", { headers, body }),
      await send("DELETE /pim/preview/none/shares/x", { headers }),
    ];
    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
      answers.map(() => [404, "preview.not-found"]),
    );
  });
});

test("409 for more than 20 shares that have not expired", async () => {
  for (let n = 0; n < 20; n += 1) expect((await world.create()).status).toBe(201);
  const answer = await world.create();
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: "preview.limit-reached", reason: "shares" },
  ]);
});
