import { beforeEach, expect, test } from "vitest";
import { makeSharer, type Sharer } from "@/lib/features/previews/shares/testing/share-world";
import { exportComments } from "@/lib/features/privacy/personal-data";
import { personalRowsOf } from "@/lib/features/users/testing/erasure";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: Sharer;
let admin: Awaited<ReturnType<typeof makeSignedInUser>>;

beforeEach(async () => {
  process.env.RATE_LIMITS = "off";
  world = await makeSharer(send);
  admin = await makeSignedInUser(world.tenant, { roleIds: ["tenant.admin"] });
});

async function say(headers: Record<string, string>, text: string, key = "home") {
  const answer = await send(`POST /pim/preview/${key}/comments`, { headers, body: { text } });
  expect(answer.status, answer.text).toBe(201);
}

const site = { "X-Service-Site": "one" };
const exported = async (path: string, headers: Record<string, string>) => {
  const { status, body, text } = await send(`GET ${path}`, { headers });
  expect(status, text).toBe(200);
  return body.filter(({ type }: { type: string }) => type === "previewComment");
};

test("200: the export has the comments that the user wrote, with key and site, and no others", async () => {
  await say(world.headers, "Ask Zora about the shoes");
  await say(world.headers, "Gone with its configuration", "sale");
  await say({ ...admin.headers, ...site }, "By another user");
  await say((await world.visitor()).headers, "By a visitor");
  expect((await send("DELETE /pim/preview/sale", { headers: world.headers })).status).toBe(204);
  const records = await exported(`/v1/user/${world.userId}/export`, admin.headers);
  expect(records.map(({ data }: { data: object }) => data)).toMatchObject([
    { site: "one", key: "home", pointer: null, text: "Ask Zora about the shoes", version: 1 },
    { site: "one", key: "sale", text: "Gone with its configuration", resolved: false },
  ]);
  expect(records[0].data).not.toHaveProperty("author");
  const { "X-Service-Site": _, ...own } = world.headers;
  expect(await exported("/v1/user/profile/export", own)).toEqual(records);
});

test("the comments are read in batches, each once", async () => {
  const of = { tenantId: world.tenant, userId: world.userId };
  for (const text of ["a", "b", "c"]) await say(world.headers, text);
  const parts: string[][] = [];
  for await (const part of exportComments(of, 2)) parts.push(part.map(({ data }) => data.text));
  expect(parts).toEqual([["a", "b"], ["c"]]);
});

test("200: erasing the user deletes the text of their comments, but not that of others", async () => {
  await say(world.headers, "Ask Zora about the shoes");
  await say({ ...admin.headers, ...site }, "By another user");
  expect(await personalRowsOf(world.tenant)).toContain("Ask Zora");
  const path = `POST /v1/user/${world.userId}`;
  const { headers } = admin;
  expect((await send(`${path}/deactivate`, { headers })).status).toBe(200);
  const body = { reason: "Ticket 4711" };
  expect((await send(`${path}/erase`, { headers, body })).status).toBe(200);
  const left = await personalRowsOf(world.tenant);
  expect(left).not.toContain("Ask Zora");
  expect(left).toContain("By another user");
});
