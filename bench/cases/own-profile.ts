import type { Case } from "@/bench/case";

export const ownProfile: Case = {
  name: "own-profile",
  title: "own customer profile",
  request: ({ tenant, site, shopper }) => ({
    method: "GET",
    path: "/v1/customer/profile",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
      Authorization: `Bearer ${shopper.accessToken}`,
    },
  }),
};
