import { expect, test } from "vitest";
import {
  admins,
  analysts,
  group,
  groupWorld,
  line,
  none,
  person,
  stripRoles,
} from "@/lib/features/connections/provisioning/testing/group-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

/** The roles that a connection's groups give: what a preview returns, and what is saved. */

const send = testServer();
const { world, connected, change, held } = groupWorld(send);

test("200: a preview lists which users gain and lose which roles; saving has exactly that effect", async () => {
  const provider = await connected(analysts);
  const [bob, eva] = [await person(provider, "bob"), await person(provider, "eva")];
  await group(provider, "Analysts", bob);
  await group(provider, "Readers", eva);
  const groupRoles = [
    line("Readers", "portal.default", "portal.pim.mgmt"),
    line("Nobody", "portal.qa.mgmt"),
  ];
  const { headers } = world;
  const path = `POST /v1/tenant/connections/${provider.id}/group-roles/preview`;
  const before = await held(bob);
  const seen = await send(path, { headers, body: { groupRoles } });
  expect(seen.body, seen.text).toEqual({
    groups: [
      { group: "Readers", members: 1 },
      { group: "Nobody", members: 0 },
    ],
    changes: 2,
    people: [
      {
        id: bob,
        login: "bob",
        name: "bob",
        gains: none,
        loses: { ...none, roleIds: ["portal.analytics.mgmt"] },
      },
      {
        id: eva,
        login: "eva",
        name: "eva",
        gains: { ...none, roleIds: ["portal.pim.mgmt"] },
        loses: none,
      },
    ],
  });
  expect(await held(bob)).toEqual(before);
  const saved = await change(provider.id, { groupRoles });
  expect(saved.body.groupRoles, saved.text).toMatchObject(groupRoles);
  expect([await held(bob), await held(eva)]).toEqual([
    ["portal.default"],
    ["portal.default (both)", "portal.pim.mgmt (group)"],
  ]);
  const nothing = await send(path, { headers, body: { groupRoles } });
  expect(nothing.body).toMatchObject({ changes: 0, people: [] });
});

test("400 for a guarded role without the tick, a duplicate group and an unknown site; 403 for a caller who is no tenant.admin", async () => {
  const { id } = await connected();
  const { userId } = await makeUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
  const manager = await makeSession(world.tenant, userId);
  const client = { name: "x", issuer: "https://x.example", clientId: "x", clientSecret: "y" };
  const paths: [operation: string, more: object][] = [
    [`PATCH /v1/tenant/connections/${id}`, {}],
    ["POST /v1/tenant/connections", client],
    [`POST /v1/tenant/connections/${id}/group-roles/preview`, {}],
  ];
  const atSite = {
    group: "A",
    roles: { roleIds: [], sites: { nowhere: { roleIds: ["portal.qa.mgmt"] } } },
  };
  const wrong: [code: string, lines: object[]][] = [
    ["request.validation-failed", [line("A", "tenant.admin")]],
    [
      "request.validation-failed",
      [
        {
          ...line("A"),
          roles: { roleIds: [], sites: { [world.tenant]: { roleIds: ["portal.users.mgmt"] } } },
        },
      ],
    ],
    ["request.validation-failed", [analysts, { ...analysts, group: " Analysts" }]],
    ["site.unknown", [atSite]],
  ];
  for (const [operation, more] of paths) {
    for (const [code, groupRoles] of wrong) {
      const answer = await send(operation, {
        headers: world.headers,
        body: { ...more, groupRoles },
      });
      expect([operation, answer.status, answer.body.code]).toEqual([operation, 400, code]);
    }
    const body = { ...more, groupRoles: [admins("A")] };
    expect((await send(operation, { headers: manager.headers, body })).status).toBe(403);
  }
  const nowhere = "POST /v1/tenant/connections/conn_x/group-roles/preview";
  const missing = await send(nowhere, { headers: world.headers, body: { groupRoles: [] } });
  expect([missing.status, missing.body.code]).toEqual([404, "connection.not-found"]);
});

test("409 for a change or deletion that would remove the last administrator", async () => {
  const provider = await connected(admins("Owners"));
  const id = await person(provider, "bob");
  await group(provider, "Owners", id);
  const { headers } = await makeSession(world.tenant, id);
  const demoted = await send(`PUT /v1/user/${world.adminId}/roles`, {
    ...{
      headers: { ...headers, "If-Match": "*" },
      body: { ...none, roleIds: ["portal.default"] },
    },
  });
  expect(demoted.status, demoted.text).toBe(409);
  await stripRoles(world.tenant, world.adminId);
  const path = `/v1/tenant/connections/${provider.id}`;
  const answers = [
    await send(`PATCH ${path}`, { headers, body: { groupRoles: [] } }),
    await send(`DELETE ${path}`, { headers }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [409, "user.last-admin"],
    [409, "user.last-admin"],
  ]);
  expect(await held(id)).toContain("tenant.admin (group)");
});
