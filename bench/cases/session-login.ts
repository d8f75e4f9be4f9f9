import type { Case } from "@/bench/case";

export const sessionLogin: Case = {
  name: "session-login",
  title: "sign in with a password",
  request: ({ tenant, login, password }) => ({
    method: "POST",
    path: "/v1/user/session-login",
    headers: { "X-Service-Tenant": tenant },
    body: JSON.stringify({ login, tenant, password }),
  }),
};
