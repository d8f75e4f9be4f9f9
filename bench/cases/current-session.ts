import type { Case } from "@/bench/case";

export const currentSession: Case = {
  name: "current-session",
  title: "show the current session",
  request: ({ tenant, sessionId }) => ({
    method: "GET",
    path: "/v1/user/session",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Session-Id": sessionId,
      Accept: "application/json",
    },
  }),
};
