import { expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { noticeActions, type partialIndexes } from "@/lib/database/schema/audit";
import { makeTenant } from "@/lib/setup/testing/factories";
import { readEntriesAbout } from "./entries-about";
import { record } from "./service";

test("rare entries are found however many others there are", async () => {
  const tenantId = await makeTenant();
  const acting = {
    tenantId,
    actor: { type: "user" as const, id: "user_1", login: "ada" },
    ...{ requestId: "req_1", address: "192.0.2.1", agent: "test" },
  };
  const write = (action: string) =>
    transaction((tx) => record(tx, acting, { action, target: { type: "user", id: "user_1" } }));
  await write("session.created");
  await write("user.locked");
  for (let n = 0; n < 4; n += 1) await write("site.updated");
  const found = async (only: keyof typeof partialIndexes) => {
    const about = only === "notices" ? { targetIds: ["user_1"] } : { actorId: "user_1" };
    const { entries } = await readEntriesAbout({ tenantId, ...about, only, limit: 1 });
    return entries.map(({ action }) => action);
  };
  expect(await found("signIns")).toEqual(["session.created"]);
  expect(await found("notices")).toEqual(["user.locked"]);
});

test("the store has an index for just these actions", async () => {
  const { rows } = await db().$client.query<{ text: string }>(
    "select indexdef as text from pg_indexes where indexname in ('audit_events_all_notices_index', 'audit_events_sign_ins_index') order by 1",
  );
  const [notices = "", signIns = ""] = rows.map(({ text }) => text);
  const named = [...notices.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action);
  expect(named).toEqual([...noticeActions]);
  expect(signIns).toContain("'session.created'");
});
