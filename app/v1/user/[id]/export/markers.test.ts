import { expect, test } from "vitest";
import { personalRowsOf } from "@/lib/features/users/testing/erasure";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();

/** A tenant in which a user and an administrator reported markers. */
async function reporters() {
  const tenant = await makeTenant();
  const roleIds = ["tenant.admin"];
  const admin = await makeSignedInUser(tenant, { roleIds });
  const person = await makeSignedInUser(tenant, { roleIds });
  const report = async (headers: Record<string, string>, title: string, kind: string) => {
    const body = { at: new Date().toISOString(), title, kind };
    const answer = await send("POST /v1/api-metrics/markers", { headers, body });
    expect(answer.status, answer.text).toBe(201);
  };
  await report(person.headers, "Zora says it is the cache", "note");
  await report(person.headers, "Storefront 4.2", "deploy");
  await report(admin.headers, "By another user", "note");
  return { tenant, admin, person };
}

test("200: the export has the markers that the user reported, and no others", async () => {
  const { admin, person } = await reporters();
  const { headers } = admin;
  const { status, body, text } = await send(`GET /v1/user/${person.userId}/export`, { headers });
  expect(status, text).toBe(200);
  const markers = body.filter(({ type }: { type: string }) => type === "marker");
  expect(markers.map(({ data }: { data: { title: string } }) => data.title)).toEqual([
    "Zora says it is the cache",
    "Storefront 4.2",
  ]);
  expect(markers[0].data).not.toHaveProperty("author");
});

test("200: erasing the user deletes their notes; a deploy stays, without their login", async () => {
  const { tenant, admin, person } = await reporters();
  const { headers } = admin;
  const path = `POST /v1/user/${person.userId}`;
  expect((await send(`${path}/deactivate`, { headers })).status).toBe(200);
  const body = { reason: "Ticket 4711" };
  expect((await send(`${path}/erase`, { headers, body })).status).toBe(200);
  expect(await personalRowsOf(tenant)).not.toContain("Zora");
  const { body: left } = await send("GET /v1/api-metrics/markers?limit=50", { headers });
  const reported = left.filter(({ source }: { source: string }) => source === "reported");
  expect(
    reported.map(({ title, author }: { title: string; author: object }) => [title, author]),
  ).toEqual([
    ["By another user", { id: admin.userId, login: expect.any(String) }],
    ["Storefront 4.2", { id: person.userId, login: null }],
  ]);
});
