import type { Case } from "@/bench/case";

export const listUsers: Case = {
  name: "list-users",
  title: "list 20 users by API key",
  request: ({ tenant, apiKey }) => ({
    method: "GET",
    path: "/v1/user/list?limit=20",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-API-Key": apiKey,
      Accept: "application/json",
    },
  }),
};
