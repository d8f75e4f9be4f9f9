import { describe, expect, test } from "vitest";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  admins,
  analysts,
  group,
  groupWorld,
  join,
  leave,
  line,
  none,
  person,
  stripRoles,
} from "@/lib/features/connections/provisioning/testing/group-world";
import { patchOf } from "@/lib/features/connections/provisioning/testing/provider-client";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession } from "@/lib/setup/testing/factories";

/** The roles of users from the groups that their provider provisions. */

const send = testServer();
const { world, connected, held, rolesBy, setRoles } = groupWorld(send);

describe("by provisioning", () => {
  test("roles are added and removed with membership; roles granted by hand stay, and neither can be removed here", async () => {
    const provider = await connected(analysts, line("Readers", "portal.default"));
    const id = await person(provider, "bob");
    const both = await group(provider, "Readers", id);
    const own = await group(provider, "Analysts", id);
    expect(await held(id)).toEqual(["portal.analytics.mgmt (group)", "portal.default (both)"]);
    const taken = await setRoles(id, ["portal.default"]);
    expect([taken.status, taken.body.code, taken.body.reason]).toEqual([
      ...[409, "role.held-by-group", "portal.analytics.mgmt"],
    ]);
    const granted = await setRoles(id, [
      "portal.analytics.mgmt",
      "portal.default",
      "portal.qa.mgmt",
    ]);
    expect(granted.status, granted.text).toBe(200);
    expect((await rolesBy(id)).body.roleIds).toHaveLength(3);
    const { headers } = world;
    expect((await send(`GET /v1/user/${id}/group-roles`, { headers })).body).toEqual(
      ["Analysts", "Readers"].map((name, at) => ({
        connection: { id: provider.id, name: "Example Corp" },
        ...{
          group: name,
          roles: { ...none, roleIds: [["portal.analytics.mgmt", "portal.default"][at]] },
        },
      })),
    );
    const nobody = await send("GET /v1/user/user_x/group-roles", { headers });
    expect([nobody.status, nobody.body.code]).toEqual([404, "user.not-found"]);
    await leave(provider, own, id);
    await provider.call(`DELETE /Groups/${both}`);
    expect(await held(id)).toEqual(["portal.default", "portal.qa.mgmt"]);
    const entries = (await trailOf(world.tenant)).filter(
      ({ action }) => action === "user.roles-changed",
    );
    expect(entries.map(({ actor: { type } }) => type)).toEqual(["system", "user", "system"]);
    expect(entries[2]?.changes.roles).toMatchObject({
      before: { roleIds: ["portal.analytics.mgmt", "portal.default", "portal.qa.mgmt"] },
      after: { roleIds: ["portal.default", "portal.qa.mgmt"] },
    });
  });

  test("a role with an expiry that a group gives too ends only after both have ended", async () => {
    const provider = await connected(analysts);
    const id = await person(provider, "bob");
    const until = async (seconds: number) => {
      const end = new Date(Date.now() + seconds * 1000).toISOString();
      const roleIds = ["portal.analytics.mgmt", "portal.default"];
      const body = { ...none, roleIds, expiresAt: { "portal.analytics.mgmt": end } };
      const headers = { ...world.headers, "If-Match": "*" };
      return send(`PUT /v1/user/${id}/roles`, { headers, body });
    };
    const given = await until(600);
    expect(given.status, given.text).toBe(200);
    const made = await group(provider, "Analysts", id);
    expect((await rolesBy(id)).body).toEqual({
      ...none,
      roleIds: ["portal.analytics.mgmt", "portal.default"],
    });
    expect((await until(900)).body.code).toBe("role.held-by-group");
    await leave(provider, made, id);
    expect((await rolesBy(id)).body).toEqual(given.body);
  });

  test("a group's name matches exactly: different case is another group, and surrounding white space is ignored", async () => {
    const provider = await connected(line(" Analysts ", "portal.analytics.mgmt"));
    const id = await person(provider, "bob");
    const made = await group(provider, "analysts", id);
    expect(await held(id)).toEqual(["portal.default"]);
    const rename = (displayName: string) =>
      provider.call(`PATCH /Groups/${made}`, patchOf({ op: "replace", value: { displayName } }));
    await rename("Analysts ");
    expect(await held(id)).toContain("portal.analytics.mgmt (group)");
    await rename("Others");
    expect(await held(id)).toEqual(["portal.default"]);
  });

  test("a lost role is rejected at once: session, API key, and a verifier's cached answers", async () => {
    const provider = await connected(line("Managers", "portal.users.mgmt"), analysts).catch(
      () => undefined,
    );
    expect(provider).toBeUndefined();
    const trusted = await connected({
      ...line("Managers", "portal.users.mgmt"),
      grantsAdministration: true,
    });
    const id = await person(trusted, "bob");
    const made = await group(trusted, "Managers", id);
    const session = await makeSession(world.tenant, id);
    const key = await makeApiKey(world.tenant, id);
    const list = (headers: Record<string, string>) => send("GET /v1/user/list", { headers });
    for (const { headers } of [session, key]) expect((await list(headers)).status).toBe(200);
    const verifier = await makeVerifier(world.tenant);
    const { verdict } = verifying(send, () => verifier);
    expect((await verdict({ sessionId: session.sessionId })).permissions).toContain("user.manage");
    const feed = await send("GET /v1/access/revocations", { headers: verifier });
    const next = /^<([^>]+)>/.exec(feed.headers.get("link") ?? "")?.[1] ?? "";
    await leave(trusted, made, id);
    for (const { headers } of [session, key]) expect((await list(headers)).status).toBe(403);
    expect((await verdict({ sessionId: session.sessionId })).permissions ?? []).not.toContain(
      "user.manage",
    );
    const revoked = await send(`GET ${next}`, { headers: verifier });
    expect(revoked.body).toMatchObject([{ subjectKind: "user", subjectId: id, effect: "changed" }]);
  });

  test("when two users lose tenant.admin at once, the last one keeps it, and emergency administrators are not changed", async () => {
    const provider = await connected(admins("Owners"));
    const ids = [await person(provider, "bob"), await person(provider, "eva")];
    const made = await group(provider, "Owners", ...ids);
    const [bob = "", eva = ""] = ids;
    expect(await held(bob)).toContain("tenant.admin (group)");
    const named = `PUT /v1/tenant/emergency-administrators/${eva}`;
    expect((await send(named, { headers: world.headers })).status).toBeLessThan(300);
    await setRoles(world.adminId, ["portal.default"]);
    await stripRoles(world.tenant, world.adminId);
    expect((await leave(provider, made, eva)).status).toBe(204);
    expect(await held(eva)).toContain("tenant.admin");
    await stripRoles(world.tenant, eva);
    const answer = await leave(provider, made, bob);
    expect(answer.body, answer.text).toMatchObject({ status: "409", scimType: "mutability" });
    expect(await held(bob)).toContain("tenant.admin (group)");
  });

  test("50 concurrent changes and an edit by hand lose no update", async () => {
    const provider = await connected(analysts, line("Readers", "portal.pim.mgmt"));
    const people = [
      await person(provider, "p0"),
      await person(provider, "p1"),
      await person(provider, "p2"),
    ];
    const groups = [await group(provider, "Analysts"), await group(provider, "Readers", ...people)];
    const [first = "", second = ""] = groups;
    /** As providers and users do: retries a request after 429 or a concurrent change. */
    const until = async (wanted: number, attempt: () => Promise<{ status: number }>) => {
      for (;;) {
        const { status } = await attempt();
        if (status !== 503 && status !== 412) return expect(status).toBe(wanted);
      }
    };
    const ways = people.flatMap((id) => [
      () => join(provider, first, id),
      () => leave(provider, second, id),
    ]);
    const edits = people.map((id) => async () => {
      const now = await rolesBy(id);
      if (now.status !== 200) return now;
      const body = { ...none, roleIds: [...now.body.roleIds, "portal.qa.mgmt"] };
      const headers = { ...world.headers, "If-Match": now.headers.get("etag") ?? "" };
      return send(`PUT /v1/user/${id}/roles`, { headers, body });
    });
    await Promise.all([
      ...Array.from({ length: 50 }, (_, at) =>
        until(204, ways[at % ways.length] as (typeof ways)[number]),
      ),
      ...edits.map((edit) => until(200, edit)),
    ]);
    for (const id of people)
      expect(await held(id)).toEqual([
        "portal.analytics.mgmt (group)",
        "portal.default",
        "portal.qa.mgmt",
      ]);
  });
});
