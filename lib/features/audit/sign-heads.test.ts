import { expect, test, vi } from "vitest";
import { transaction } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { readHeads } from "./heads";
import { record } from "./service";
import { startSigningHeads } from "./sign-heads";
import { actingAsSystem } from "./system";

test("signs the head of every chain that changed, also when two processes do it at once", async () => {
  const tenants = [await makeTenant(), await makeTenant()];
  const fact = { action: "user.locked", target: { type: "user", id: "u" } };
  for (const tenant of tenants)
    await transaction((tx) => record(tx, actingAsSystem(tenant, "test"), fact));
  const stops = [startSigningHeads(), startSigningHeads()];
  for (const tenant of tenants)
    await vi.waitFor(async () => expect(await readHeads(tenant)).toMatchObject([{ seq: 1 }]), {
      timeout: 30_000,
    });
  await Promise.all(stops.map((stop) => stop()));
});
