import { msg } from "@/components/texts/t";

/** What a tenant is for. */
export const tenantKinds = {
  platform: msg("platform"),
  production: msg("production"),
  sandbox: msg("sandbox"),
  demo: msg("demo"),
} as const;
