import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { readEntriesAbout } from "./entries-about";
import { record } from "./service";

test("rare entries are looked for among so many of the newest, and no further", async () => {
  const tenantId = await makeTenant();
  const acting = {
    tenantId,
    actor: { type: "user" as const, id: "user_1", login: "ada" },
    ...{ requestId: "req_1", address: "192.0.2.1", agent: "test" },
  };
  const write = (action: string) =>
    transaction((tx) => record(tx, acting, { action, target: { type: "site", id: "one" } }));
  await write("session.created");
  for (let n = 0; n < 4; n += 1) await write("site.updated");
  const found = async (walk?: number) => {
    const wanted = { tenantId, actorId: "user_1", actions: ["session.created"], limit: 10 };
    return (await readEntriesAbout({ ...wanted, ...(walk && { walk }) })).entries.length;
  };
  expect([await found(4), await found(5), await found()]).toEqual([0, 1, 1]);
});
