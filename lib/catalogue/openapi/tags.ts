import { type Endpoint, pathOf } from "@/lib/protocol/endpoint";

interface Tag {
  name: string;
  description: string;
}

/** By the second segment of a path. */
const tags: Record<string, Tag> = {
  user: {
    name: "Users, sessions and API keys",
    description:
      "Sign-in, one's own account and API keys, and the management of the tenant's users, roles, sessions and keys.",
  },
  access: {
    name: "Access",
    description:
      "Why a user or an API key may call an operation, who holds a permission, and the verification of credentials for other services.",
  },
  audit: { name: "Audit", description: "The tenant's tamper-evident audit trail." },
  events: { name: "Events", description: "A feed of what happened in the tenant, to be polled." },
  webhooks: {
    name: "Webhooks",
    description: "Where events are sent, signed as Standard Webhooks are.",
  },
  requests: {
    name: "Rejected requests",
    description: "Requests that were rejected or failed in the last seven days.",
  },
  tenant: {
    name: "Tenant and sites",
    description: "The caller's tenant: its name, sites, security policy and quotas.",
  },
  tenants: {
    name: "Tenants",
    description: "Every tenant of the installation. Only for the platform's own users.",
  },
  sso: { name: "Identity providers", description: "What identity providers call." },
  signup: { name: "Sign-up", description: "Creation of a sandbox tenant by anybody." },
  "api-metrics": {
    name: "API metrics",
    description: "Counts and latencies of API calls over time, by domain, site, endpoint and key.",
  },
  alerts: {
    name: "Alerts",
    description: "Rules about calls, errors, latency and silence that are checked each minute.",
  },
  views: {
    name: "Saved views",
    description: "Filters, order and columns of the portal's list pages, under a name.",
  },
  preview: {
    name: "Previews",
    description: "Preview configurations of a site, stored byte for byte, with revisions.",
  },
  releases: {
    name: "Releases",
    description: "Preview configurations of a site whose stages change together.",
  },
  customer: {
    name: "Shoppers",
    description: "What a shop's page or app calls on behalf of one shopper.",
  },
  customers: {
    name: "Customers",
    description: "Management of a site's customers by the shop's staff or programs.",
  },
};

const documentsTag: Tag = {
  name: "Documents",
  description: "Documents without a tenant: this description, public keys and health.",
};

/** The topic of an operation. */
export const tagOf = (declared: Pick<Endpoint, "operation">): string =>
  tags[pathOf(declared).split("/")[2] ?? ""]?.name ?? documentsTag.name;

export const documentsTagName = documentsTag.name;

export const listTags = (): Tag[] => [...Object.values(tags), documentsTag];
