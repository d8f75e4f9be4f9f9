import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { accessRequests, users } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, type NewUser } from "@/lib/setup/testing/factories";

/** Roles that users request. */

const send = testServer();
type Headers = Record<string, string>;
interface Person {
  userId: string;
  headers: Headers;
}
let tenant: string;
let admin: Person;
let manager: Person;
let managerAtOne: Person;

const signedIn = (given: NewUser = {}): Promise<Person> => makeSignedInUser(tenant, given);
const newcomer = () => signedIn({ roleIds: ["portal.default"] });

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  managerAtOne = await signedIn({ sites: { one: ["portal.users.mgmt"] } });
});

const ask = ({ headers }: Person, body: object) =>
  send("POST /v1/user/access-requests", { headers, body });
const decide = (id: string, { headers }: Person, body: object) =>
  send(`POST /v1/user/access-requests/${id}/decide`, { headers, body });
const withdraw = (id: string, { headers }: Person) =>
  send(`DELETE /v1/user/access-requests/${id}`, { headers });
const list = async ({ headers }: Person): Promise<{ id: string }[]> =>
  (await send("GET /v1/user/access-requests", { headers })).body;
const sees = async (person: Person, id: string) =>
  (await list(person)).some((one) => one.id === id);
const rolesOf = async ({ userId }: Person) =>
  (await send(`GET /v1/user/${userId}/roles`, { headers: admin.headers })).body;
const asked = async (person: Person, body: object): Promise<string> => {
  const answer = await ask(person, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
};
const qa = { role: "portal.qa.mgmt" };

describe("201", () => {
  test("only callers who may grant the role see the request; repeating it changes nothing", async () => {
    const ada = await newcomer();
    const id = await asked(ada, { ...qa, site: "one", reason: "for the launch" });
    expect(await asked(ada, { ...qa, site: "one" })).toBe(id);
    const found = (await list(manager)).find((one) => one.id === id);
    expect(found).toMatchObject({ ...qa, site: "one", reason: "for the launch", state: "open" });
    expect(await sees(admin, id)).toBe(true);
    expect(await sees(ada, id)).toBe(true);
    expect(await sees(await newcomer(), id)).toBe(false);
    // A manager of one site sets only roles of users who have one there.
    expect(await sees(managerAtOne, id)).toBe(false);
    const bea = await signedIn({ sites: { one: ["portal.default"] } });
    const there = await asked(bea, { ...qa, site: "one" });
    const everywhere = await asked(bea, qa);
    expect([await sees(managerAtOne, there), await sees(managerAtOne, everywhere)]).toEqual([
      true,
      false,
    ]);
    const guarded = await asked(bea, { role: "tenant.admin" });
    expect([await sees(manager, guarded), await sees(admin, guarded)]).toEqual([false, true]);
    expect((await decide(guarded, manager, { decision: "grant" })).status).toBe(404);
  });

  test("a request ends when the user is locked, and after 30 days", async () => {
    const [locked, old] = [await newcomer(), await newcomer()];
    const ids = [await asked(locked, qa), await asked(old, qa)];
    const body = { reason: "left" };
    await send(`POST /v1/user/${locked.userId}/lock`, { headers: admin.headers, body });
    await db()
      .update(accessRequests)
      .set({ createdAt: new Date(Date.now() - 31 * 86_400_000) })
      .where(and(eq(accessRequests.tenantId, tenant), eq(accessRequests.userId, old.userId)));
    for (const id of ids) {
      expect(await sees(admin, id)).toBe(false);
      expect((await decide(id, admin, { decision: "grant" })).status).toBe(404);
    }
  });
});

describe("200", () => {
  test("granted until a time: the role, its expiry, the audit entry, and the request is closed", async () => {
    const ada = await newcomer();
    const id = await asked(ada, { ...qa, site: "one" });
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const granted = await decide(id, manager, { decision: "grant", expiresAt });
    expect([granted.status, granted.body.state]).toEqual([200, "granted"]);
    expect(await rolesOf(ada)).toEqual({
      roleIds: ["portal.default"],
      sites: { one: { roleIds: [qa.role], expiresAt: { [qa.role]: expiresAt } } },
    });
    expect(await sees(manager, id)).toBe(false);
    const entries = (await trailOf(tenant)).filter(({ target }) => target.id === ada.userId);
    expect(entries.map(({ action }) => action)).toEqual([
      "user.access-asked",
      "user.roles-changed",
    ]);
  });

  test("declined: nothing is granted, the user sees it, and may request it again", async () => {
    const ada = await newcomer();
    const id = await asked(ada, qa);
    expect((await decide(id, admin, { decision: "decline" })).body.state).toBe("declined");
    expect((await rolesOf(ada)).roleIds).toEqual(["portal.default"]);
    expect(await list(ada)).toMatchObject([{ id, state: "declined" }]);
    expect(await asked(ada, qa)).not.toBe(id);
  });
});

describe("204", () => {
  test("withdrawn: no administrator sees it any more, it is in the audit trail, and the user may request it again", async () => {
    const ada = await newcomer();
    const id = await asked(ada, qa);
    expect((await withdraw(id, ada)).status).toBe(204);
    expect([await list(ada), await sees(admin, id)]).toEqual([[], false]);
    expect((await decide(id, admin, { decision: "grant" })).status).toBe(404);
    const entries = (await trailOf(tenant)).filter(({ target }) => target.id === ada.userId);
    expect(entries.at(-1)?.action).toBe("user.access-withdrawn");
    expect(await asked(ada, qa)).not.toBe(id);
  });
});

describe("400", () => {
  test("an unknown site, and an expiry that has passed", async () => {
    const ada = await newcomer();
    const nowhere = await ask(ada, { ...qa, site: "nowhere" });
    expect([nowhere.status, nowhere.body.code]).toEqual([400, "site.unknown"]);
    const id = await asked(ada, qa);
    const late = await decide(id, admin, { decision: "grant", expiresAt: "2020-01-01T00:00:00Z" });
    expect([late.status, late.body.reason]).toEqual([400, "/expiresAt"]);
  });
});

test("404: callers cannot decide about themselves or withdraw another's request, and an unknown id", async () => {
  const own = await asked(manager, qa);
  for (const answer of [await withdraw(own, admin), await withdraw("ask_none", manager)])
    expect([answer.status, answer.body.code]).toEqual([404, "access-request.not-found"]);
  for (const id of [own, "ask_none"]) {
    const { status, body } = await decide(id, manager, { decision: "grant" });
    expect([status, body.code]).toEqual([404, "access-request.not-found"]);
  }
});

describe("409", () => {
  test("of two concurrent decisions one takes effect", async () => {
    const ada = await newcomer();
    const id = await asked(ada, qa);
    const answers = await Promise.all([
      decide(id, admin, { decision: "grant" }),
      decide(id, manager, { decision: "decline" }),
    ]);
    expect(answers.map(({ status, body }) => (status === 200 ? "done" : body.code)).sort()).toEqual(
      ["access-request.decided", "done"],
    );
    const late = await withdraw(id, ada);
    expect([late.status, late.body.code]).toEqual([409, "access-request.decided"]);
    const isGranted = answers[0]?.status === 200;
    expect((await rolesOf(ada)).roleIds.includes(qa.role)).toBe(isGranted);
  });

  test("a role that the user has, and an eleventh open request", async () => {
    const ada = await newcomer();
    const has = await ask(ada, { role: "portal.default" });
    expect([has.status, has.body.code]).toEqual([409, "access-request.not-needed"]);
    const roleIds = (await send("GET /v1/user/roles", { headers: admin.headers })).body as {
      id: string;
    }[];
    const others = roleIds.map(({ id }) => id).filter((id) => id !== "portal.default");
    for (const role of others.slice(0, 10)) await asked(ada, { role });
    const more = await ask(ada, { role: others[10] });
    expect([more.status, more.body.code, more.body.reason]).toEqual([
      ...[409, "access-request.limit-reached", "10"],
    ]);
  });
});

test("an erased user leaves no request", async () => {
  const ada = await newcomer();
  await asked(ada, { ...qa, reason: "my own words" });
  const key = and(eq(accessRequests.tenantId, tenant), eq(accessRequests.userId, ada.userId));
  const { headers } = admin;
  await send(`POST /v1/user/${ada.userId}/deactivate`, { headers });
  const erased = await send(`POST /v1/user/${ada.userId}/erase`, {
    headers,
    body: { reason: "asked for" },
  });
  expect(erased.status, erased.text).toBeLessThan(300);
  expect(await db().select().from(accessRequests).where(key)).toEqual([]);
  expect(await db().$count(users, eq(users.tenantId, tenant))).toBeGreaterThan(0);
});
