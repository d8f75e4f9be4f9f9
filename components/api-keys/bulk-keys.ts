import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";
import { csvLine } from "@/lib/protocol/csv";
import type { NewKey } from "./key-formats";

/** The maximum per action: more secrets could not be stored carefully. */
export const maxKeysAtOnce = 50;

/** A key that can be selected; in the tenant's list it includes its owner. */
export type ListedKey = ApiKey & Partial<Pick<ManagedKey, "owner">>;

/** Whether a key is active or suspended: an expired or revoked one can be neither rotated nor revoked. */
export const isLive = ({ status }: Pick<ApiKey, "status">) =>
  status === "active" || status === "suspended";

/** Whether the current user may rotate the key: its owner, or a manager of a service user's key. */
export const mayRotate = ({ owner }: ListedKey) => owner === undefined || owner.kind === "service";

export const secretFormats = ["env", "json", "csv"] as const;

export type SecretFormat = (typeof secretFormats)[number];

/** A name as a shell variable: two names may map to the same one, so the key's hint is appended. */
const variableOf = ({ name, apiKey }: NewKey) =>
  `API_KEY_${name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")}_${apiKey.slice(-4)}`;

/**
 * New secrets as one text to store.
 *
 * @example secretsAs("csv", [{ name: "ci", apiKeyId: "key_1", apiKey: "svk_x9f2c", validTo: "2026-12-02T14:00:00Z" }])
 */
export function secretsAs(format: SecretFormat, keys: readonly NewKey[]): string {
  switch (format) {
    case "env":
      return keys.map((key) => `${variableOf(key)}=${key.apiKey}\n`).join("");
    case "json":
      return `${JSON.stringify(keys, ["name", "apiKeyId", "apiKey", "validTo"], 2)}\n`;
    case "csv":
      return [
        csvLine(["name", "apiKeyId", "apiKey", "validTo"]),
        ...keys.map(({ name, apiKeyId, apiKey, validTo }) =>
          csvLine([name, apiKeyId, apiKey, validTo]),
        ),
      ].join("");
  }
}
