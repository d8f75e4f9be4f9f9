import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  customerImportChunks,
  customerImports,
  users,
} from "@/lib/database/schema/schema";
import {
  importer,
  ndjson,
  newLogins,
  startTestEngine,
} from "@/lib/features/customers/imports/testing/importing";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const role = "portal.customers.mgmt";
let shop: Shop;
let maker: { userId: string; headers: Headers };
let admin: Headers;

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": "one" } };
}

beforeEach(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  maker = await staff({ sites: { one: [role], two: [role] } });
  admin = (await staff({ roleIds: ["tenant.admin"] })).headers;
});

/** Removes the role at a site. */
async function demote(siteId: string): Promise<void> {
  const path = `/v1/user/${maker.userId}/roles`;
  const before = await send(`GET ${path}`, { headers: admin });
  const { [siteId]: _, ...sites } = before.body.sites;
  const headers = { ...admin, "If-Match": before.headers.get("etag") ?? "" };
  const answer = await send(`PUT ${path}`, { headers, body: { roleIds: [], sites } });
  expect(answer.status, answer.text).toBe(200);
}

/** Uploads lines, and calls `between` before the last of them. */
function uploadAround(lines: string, between: () => Promise<void>): Promise<Response> {
  const [first = "", ...rest] = lines.split(/(?<=\n)/);
  const parts = async function* () {
    yield new TextEncoder().encode(first);
    await between();
    yield new TextEncoder().encode(rest.join(""));
  };
  return fetch(`${send.url()}/v1/customers/imports`, {
    method: "POST",
    headers: { ...maker.headers, "Content-Type": "application/x-ndjson" },
    // Node accepts an iterable, which the browser's types do not include.
    body: parts() as unknown as BodyInit,
    ...{ duplex: "half" },
  });
}

test("a site whose permission is removed during the upload gets no customer of the file", async () => {
  const [here = "", there = ""] = newLogins(2);
  const lines = ndjson([{ login: here }, { login: there, siteIds: ["two"] }]);
  const answer = await uploadAround(lines, () => demote("two"));
  expect(answer.status).toBe(202);
  const { id } = (await answer.json()) as { id: string };
  startTestEngine();
  const imports = importer(send, admin);
  expect(await imports.ended(id)).toMatchObject({ state: "done", done: 1, failed: 1 });
  const { body } = await imports.results(id, "?result=failed");
  expect(body).toMatchObject([{ line: 2, pointer: "/siteIds/0" }]);
});

test("403 at the end of an upload whose author lost the role during it, and nothing is stored", async () => {
  const lines = ndjson(newLogins(2).map((login) => ({ login })));
  const answer = await uploadAround(lines, () => demote("one"));
  expect([answer.status, (await answer.json()).code]).toEqual([403, "auth.permission-missing"]);
  const kept = eq(customerImports.tenantId, shop.tenant);
  expect(await db().$count(customerImports, kept)).toBe(0);
});

test.each<[string, () => Promise<unknown>]>([
  ["is locked", () => setUser({ isLocked: true })],
  ["is deactivated", () => setUser({ state: "deactivated" })],
  ["has lost the role at the site", () => demote("one")],
])("an import ends without a further customer once its maker %s", async (_, change) => {
  const imports = importer(send, admin);
  const upload = await importer(send, maker.headers).upload(
    ndjson(newLogins(3).map((login) => ({ login }))),
  );
  expect(upload.status, upload.text).toBe(202);
  await change();
  startTestEngine();
  expect(await imports.ended(upload.body.id)).toMatchObject({ state: "cancelled", done: 0 });
  const left = eq(customerImportChunks.tenantId, shop.tenant);
  await expect.poll(() => db().$count(customerImportChunks, left)).toBe(0);
  const [entry] = await db()
    .select({ actor: auditEvents.actor })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.tenantId, shop.tenant),
        eq(auditEvents.action, "customer-import.cancelled"),
      ),
    );
  expect(entry?.actor).toEqual({ type: "system", id: "customer-imports" });
});

async function setUser(set: Partial<typeof users.$inferInsert>): Promise<void> {
  const one = and(eq(users.tenantId, shop.tenant), eq(users.userId, maker.userId));
  await withAccessChange(shop.tenant, (tx) => tx.update(users).set(set).where(one));
}
