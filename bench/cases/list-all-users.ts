import type { Case } from "@/bench/case";

export const listAllUsers: Case = {
  name: "list-all-users",
  title: "list all 1,000 users by API key",
  request: ({ tenant, apiKey }) => ({
    method: "GET",
    path: "/v1/user/list",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-API-Key": apiKey,
      Accept: "application/json",
    },
  }),
};
