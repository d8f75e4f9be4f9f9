import type { Case } from "@/bench/case";

export const createApiKey: Case = {
  name: "create-api-key",
  title: "create an API key",
  request: ({ tenant, sessionId }) => ({
    method: "POST",
    path: "/v1/user/profile/api-keys",
    headers: { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId },
    body: JSON.stringify({
      name: "load {n}",
      validTo: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  }),
};
