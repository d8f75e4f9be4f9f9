import type { Case } from "@/bench/case";

export const anonymousToken: Case = {
  name: "anonymous-token",
  title: "anonymous token",
  request: ({ tenant, site }) => ({
    method: "POST",
    path: "/v1/customer/login/anonymous-token",
    headers: { "X-Service-Tenant": tenant, "X-Service-Site": site },
    body: "{}",
  }),
};
