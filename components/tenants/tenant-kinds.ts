import { msg } from "@/components/texts/t";

/** The kinds of tenants. */
export const tenantKinds = {
  platform: msg("platform"),
  production: msg("production"),
  sandbox: msg("sandbox"),
  demo: msg("demo"),
} as const;
