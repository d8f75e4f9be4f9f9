import type { Case } from "@/bench/case";

export const getPreview: Case = {
  name: "get-preview",
  title: "read a preview configuration",
  request: ({ tenant, site, apiKey }) => ({
    method: "GET",
    path: "/pim/preview/home/configuration",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
      "X-Service-API-Key": apiKey,
      Accept: "application/json",
    },
  }),
};
