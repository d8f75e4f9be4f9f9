import { expect, test } from "vitest";
import { findCredentials } from "@/lib/access/credential-batch";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { db, read } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { preparedStatements } from "@/lib/database/testing/guard";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const count = 2000;

/** A node of a query plan, with the rows that it read in all of its loops. */
interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

function rowsRead(node: PlanNode): number {
  const removed =
    (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  const own = (node["Actual Rows"] + removed) * node["Actual Loops"];
  return own + (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
}

test("a batch of keys of a tenant without statistics in the store does not compare each key with every other", async () => {
  const tenantId = await makeTenant();
  const owners = await Promise.all(Array.from({ length: 20 }, () => makeUser(tenantId)));
  const secrets = Array.from({ length: count }, newApiKey);
  const validTo = new Date(Date.now() + 3_600_000);
  await db()
    .insert(apiKeys)
    .values(
      secrets.map((secret, index) => ({
        tenantId,
        apiKeyId: newId("key"),
        userId: owners[index % owners.length]?.userId ?? "",
        name: `key ${index}`,
        nameKey: `key ${index}`,
        secretHash: sha256(secret),
        hint: secret.slice(-4),
        createdAt: new Date(),
        validTo,
      })),
    );
  const wanted = secrets.slice(0, 100);
  const lookups = wanted.map((secret) => ({ kind: "apiKey" as const, lookup: sha256(secret) }));
  const found = await findCredentials(tenantId, lookups);
  expect(found.filter((one) => one !== undefined)).toHaveLength(wanted.length);
  const statement = preparedStatements.get("credential-batch") ?? "";
  const [explained] = await read<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    "explain-credential-batch",
    `explain (analyze, format json) ${statement}`,
    [tenantId, lookups.map(({ lookup }) => lookup), [], []],
  );
  const plan = explained?.["QUERY PLAN"][0]?.Plan;
  expect(plan && rowsRead(plan)).toBeLessThan(20 * count);
});
