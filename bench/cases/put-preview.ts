import type { Case } from "@/bench/case";

const configuration = {
  title: "Load {n}",
  enabled: true,
  stage: "live",
  urlTemplate: "https://shop.example/{locale}/{slug}",
  locales: ["en-GB", "de-DE"],
  viewports: [{ width: 390 }, { width: 1280 }],
  text: "Wool, oilskin and oak. ".repeat(30),
};

export const putPreview: Case = {
  name: "put-preview",
  title: "update a preview configuration",
  request: ({ tenant, site, apiKey }) => ({
    method: "PUT",
    path: "/pim/preview/home/configuration",
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
      "X-Service-API-Key": apiKey,
      Accept: "application/json",
    },
    body: JSON.stringify(configuration),
  }),
};
