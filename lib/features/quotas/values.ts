const mib = 1024 * 1024;

interface Quota {
  label: string;
  unit: "bytes" | "count";
  /** For tenants created by support or the first run. */
  limit: number;
  /** For sandboxes, which anyone can create. */
  sandboxLimit: number;
}

/** The default limits of a tenant, until support sets others. */
export const quotas = {
  "preview-bytes": {
    label: "Preview revisions kept",
    unit: "bytes",
    limit: 100 * mib,
    sandboxLimit: 10 * mib,
  },
  "preview-configurations": {
    label: "Preview configurations",
    unit: "count",
    limit: 1000,
    sandboxLimit: 100,
  },
  releases: { label: "Releases not published yet", unit: "count", limit: 200, sandboxLimit: 50 },
  "user-keys": { label: "API keys of one user", unit: "count", limit: 50, sandboxLimit: 50 },
  users: { label: "Users", unit: "count", limit: 100_000, sandboxLimit: 200 },
  sites: { label: "Sites", unit: "count", limit: 500, sandboxLimit: 20 },
  customers: { label: "Customers", unit: "count", limit: 10_000_000, sandboxLimit: 2000 },
  "metric-cells": {
    label: "Reported metrics cells of a day",
    unit: "count",
    limit: 1_000_000,
    sandboxLimit: 50_000,
  },
  webhooks: { label: "Webhooks", unit: "count", limit: 100, sandboxLimit: 20 },
  "audit-streams": { label: "Audit streams", unit: "count", limit: 10, sandboxLimit: 5 },
  alerts: { label: "Alerts", unit: "count", limit: 100, sandboxLimit: 20 },
  links: {
    label: "Open invitations, resets and password tokens",
    unit: "count",
    limit: 10_000,
    sandboxLimit: 200,
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

export const quotaNames = Object.keys(quotas) as QuotaName[];

/** The share of the limit from which the use is shown with a warning. */
export const nearShare = 0.8;
