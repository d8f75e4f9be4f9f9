import type { Case } from "@/bench/case";

export const customerLogin: Case = {
  name: "customer-login",
  title: "customer signs in with a password",
  request: ({ tenant, site, shopper }) => ({
    method: "POST",
    path: "/v1/customer/login/token",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
      Authorization: `Bearer ${shopper.anonymousToken}`,
    },
    body: JSON.stringify({ login: shopper.login, password: shopper.password }),
  }),
};
