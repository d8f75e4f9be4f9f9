import type { Case } from "@/bench/case";

export const verifyCredential: Case = {
  name: "verify",
  title: "verify an API key",
  request: ({ tenant, apiKey }) => ({
    method: "POST",
    path: "/v1/access/verify",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-API-Key": apiKey,
      "Content-Type": "application/json",
      Accept: "application/json",
    },
    body: JSON.stringify({ credentials: [{ apiKey, permission: "order.manage" }] }),
  }),
};
