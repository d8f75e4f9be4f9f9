import type { Endpoint } from "@/lib/protocol/endpoint";
import { type Components, exampleMaker } from "./examples";

/** Bodies that a schema cannot tell: fields that exclude each other, or that make sense only together. */
const written: Readonly<Record<string, unknown>> = {
  explainAccess: { userId: "user_01kb7q2v9xhm4e8s5t6w3y1zcd", operation: "GET /v1/user/list" },
  introspectToken: { token: "svk_4Wq..." },
  recordCalls: {
    batchId: "search-2026-11-22T09:00",
    cells: [
      {
        time: "2026-11-22T09:00:00Z",
        domain: "search",
        endpoint: "/search",
        method: "GET",
        status: 200,
        count: 40,
      },
    ],
  },
  createApiKey: { name: "reports", validTo: "2027-02-20T09:00:00Z", permissions: ["user.read"] },
  createSite: { id: "nordic-store", name: "Nordic Store", locales: ["sv-SE"], currency: "SEK" },
  createPreview: { key: "spring", configuration: { title: "Spring", enabled: true } },
  updateCustomerProfile: { name: { first: "Ann", last: "Berg" } },
  verifyCredentials: { credentials: [{ apiKey: "svk_4Wq...", permission: "order.manage" }] },
};

/** An example of the body of an operation; undefined where it has none. */
export function requestExample(
  id: string,
  declared: Endpoint,
  body: unknown,
  components: Components,
): unknown {
  if (!declared.body) return undefined;
  return written[id] ?? exampleMaker(components, { isWhole: false })(body);
}
