import { encodeLabels } from "@/lib/features/metrics/call-labels";
import { writeCells } from "@/lib/features/metrics/write";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

export const minute = 60_000;
export const hour = 60 * minute;
export const start = Math.floor(Date.now() / hour) * hour - 6 * hour;
export const at = (ms: number) => new Date(ms).toISOString();
export const range = `from=${at(start)}&to=${at(start + 3 * hour)}`;

/** A tenant with eleven calls in three hours from `start`, and the request headers of a key that may read them. */
export async function makeSampleCalls(): Promise<{
  tenant: string;
  userId: string;
  headers: Record<string, string>;
}> {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.analytics.mgmt"] });
  const { headers } = await makeApiKey(tenant, userId);
  const cell = (
    minutes: number,
    labels: { domain: string; status: string; site?: string },
    count: number,
  ) => ({
    at: start + minutes * minute,
    values: encodeLabels({
      ...labels,
      endpoint: `GET /${labels.domain}`,
      method: "GET",
      credentialKind: "none",
    }),
    count,
  });
  const cells = [
    cell(0, { domain: "user", status: "200" }, 5),
    cell(59, { domain: "user", status: "404" }, 2),
    cell(60, { domain: "pim", status: "200", site: "one" }, 3),
    cell(179, { domain: "pim", status: "500", site: "two" }, 1),
  ];
  await writeCells({ tenantId: tenant, source: "test", seq: 1 }, cells);
  return { tenant, userId, headers };
}
