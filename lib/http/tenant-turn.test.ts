import { expect, test } from "vitest";
import { TenantTurn } from "./tenant-turn";

const joined = async (tenantId: string) => {
  const turn = new TenantTurn();
  await turn.join(tenantId);
  return turn;
};

test("a tenant's requests run one at a time, in the order of their bodies, and other tenants do not wait", async () => {
  const order: string[] = [];
  const enter = async (name: string, tenantId: string) => {
    const turn = await joined(tenantId);
    await turn.start();
    order.push(name);
    return turn;
  };
  const first = await enter("first", "a");
  const second = enter("second", "a");
  const third = enter("third", "a");
  const other = await enter("other", "b");
  expect(order).toEqual(["first", "other"]);
  first.leave();
  (await second).leave();
  (await third).leave();
  other.leave();
  expect(order).toEqual(["first", "other", "second", "third"]);
});

test("a tenant has 8 places, all tenants together have 64, and a freed place can be taken again", async () => {
  const eight = (tenantId: string) =>
    Promise.all(Array.from({ length: 8 }, () => joined(tenantId)));
  const turns = await eight("crowded");
  await expect(joined("crowded")).rejects.toThrow(/Send one after the other/);
  turns.pop()?.leave();
  turns.push(await joined("crowded"));
  for (let tenant = 1; tenant < 8; tenant += 1) turns.push(...(await eight(`crowded ${tenant}`)));
  await expect(joined("the next")).rejects.toThrow(/Too many/);
  for (const turn of turns) turn.leave();
  (await joined("the next")).leave();
});
