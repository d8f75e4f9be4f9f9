/** A key that was just made. Kept only in the memory of the dialog that shows it. */
export interface NewKey {
  apiKey: string;
  apiKeyId: string;
  validTo: string;
  name: string;
}

export const keyFormats = [
  { value: "key", label: "Key", file: "txt" },
  { value: "env", label: ".env", file: "env" },
  { value: "curl", label: "curl", file: "sh" },
  { value: "json", label: "JSON", file: "json" },
] as const;

export type KeyFormat = (typeof keyFormats)[number]["value"];

/** The key as text to take along. `origin` is where the service is reached. */
export function formatKey(
  format: KeyFormat,
  key: Pick<NewKey, "apiKey" | "apiKeyId" | "validTo">,
  tenant: string,
  origin: string,
  path: string,
): string {
  switch (format) {
    case "key":
      return key.apiKey;
    case "env":
      return `SERVICE_URL=${origin}\nSERVICE_TENANT=${tenant}\nSERVICE_API_KEY=${key.apiKey}\n`;
    case "curl":
      return `curl '${origin}${path}' \\\n  -H 'X-Service-Tenant: ${tenant}' \\\n  -H 'X-Service-API-Key: ${key.apiKey}'\n`;
    case "json":
      return `${JSON.stringify({ url: origin, tenant, ...key }, ["url", "tenant", "apiKey", "apiKeyId", "validTo"], 2)}\n`;
  }
}

export function masked(apiKey: string): string {
  return `svk_${"•".repeat(24)}${apiKey.slice(-4)}`;
}
