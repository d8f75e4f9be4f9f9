import type { Case } from "@/bench/case";

export const refreshToken: Case = {
  name: "refresh-token",
  title: "customer refreshes",
  request: ({ tenant, site, refreshBodies }) => ({
    method: "POST",
    path: "/v1/customer/login/refresh-token",
    headers: { "X-Service-Tenant": tenant, "X-Service-Site": site },
    bodyFile: refreshBodies,
  }),
};
