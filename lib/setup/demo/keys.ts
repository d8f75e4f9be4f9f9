import { and, eq, inArray } from "drizzle-orm";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { apiKeys, users } from "@/lib/database/schema/schema";
import { labelKey } from "@/lib/protocol/formats";

const dayMilliseconds = 86_400_000;

const keys = [
  { login: "matteo.ricci", name: "storefront eu", days: 180, usedMinutesAgo: 2 },
  { login: "yuki.tanaka", name: "nightly export", days: 90, usedMinutesAgo: 340 },
  { login: "priya.raghunathan", name: "catalog import", days: 30, usedMinutesAgo: 25 },
] as const;

/** Gives a few of the demo's people a key to count by. Nobody knows their values: they are thrown away here. */
export async function addDemoKeys(tx: Transaction, now: number): Promise<void> {
  const logins = keys.map(({ login }) => login);
  const owners = await tx
    .select({ userId: users.userId, login: users.loginKey })
    .from(users)
    .where(and(eq(users.tenantId, "demo"), inArray(users.loginKey, logins)));
  const rows = keys.flatMap(({ login, name, days, usedMinutesAgo }) => {
    const owner = owners.find((one) => one.login === login);
    if (!owner) return [];
    const secret = newApiKey();
    const common = {
      tenantId: "demo",
      apiKeyId: newId("key"),
      userId: owner.userId,
      name,
      nameKey: labelKey(name),
    };
    const times = {
      createdAt: new Date(now - 40 * dayMilliseconds),
      validTo: new Date(now + days * dayMilliseconds),
      lastUsedAt: new Date(now - usedMinutesAgo * 60_000),
    };
    return [{ ...common, ...times, secretHash: sha256(secret), hint: secret.slice(-4) }];
  });
  if (rows.length > 0) await tx.insert(apiKeys).values(rows);
}
