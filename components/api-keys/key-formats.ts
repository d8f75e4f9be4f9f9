import { msg } from "@/components/texts/t";
import { curlLine } from "@/lib/protocol/curl";

/** A key that was just created. Kept only in the memory of the dialog that shows it. */
export interface NewKey {
  apiKey: string;
  apiKeyId: string;
  validTo: string;
  name: string;
}

export const keyFormats = [
  { value: "key", label: msg("Key"), file: "txt" },
  { value: "env", label: msg(".env"), file: "env" },
  { value: "curl", label: msg("curl"), file: "sh" },
  { value: "json", label: msg("JSON"), file: "json" },
] as const;

export type KeyFormat = (typeof keyFormats)[number]["value"];

interface CallPlace {
  tenant: string;
  /** The origin of the service. */
  origin: string;
  /** The path that the curl command requests. */
  path: string;
}

/** The key as text to copy into a program's settings. */
export function formatKey(
  format: KeyFormat,
  key: Pick<NewKey, "apiKey" | "apiKeyId" | "validTo">,
  { tenant, origin, path }: CallPlace,
): string {
  switch (format) {
    case "key":
      return key.apiKey;
    case "env":
      return `API=${origin}\nTENANT=${tenant}\nAPI_KEY=${key.apiKey}\n`;
    case "curl":
      return `${curlLine({
        url: `${origin}${path}`,
        headers: [
          ["X-Service-Tenant", tenant],
          ["X-Service-API-Key", key.apiKey],
        ],
      })}\n`;
    case "json":
      return `${JSON.stringify({ url: origin, tenant, ...key }, ["url", "tenant", "apiKey", "apiKeyId", "validTo"], 2)}\n`;
  }
}

export function masked(apiKey: string): string {
  return `svk_${"•".repeat(24)}${apiKey.slice(-4)}`;
}
