import type { LastUse } from "@/lib/catalogue/access-contract";
import type { ApiKey } from "@/lib/features/api-keys/contract";

interface RightUse {
  permission: string;
  lastUsedAt: string | undefined;
  /** Whether calls that need it are answered, and so counted, here. */
  isCounted: boolean;
}

const newest = (times: string[]) => times.sort().at(-1);

/** The permissions that a key was given, or those that it used where it was given all of its owner's. */
export function rightsOf({ permissions }: Pick<ApiKey, "permissions">, use: LastUse): RightUse[] {
  const named: string[] = permissions ?? use.uses.map(({ permission }) => permission);
  return [...new Set(named)].sort().map((permission) => ({
    permission,
    lastUsedAt: newest(
      use.uses
        .filter(({ includedIn }) => includedIn.some((one) => one === permission))
        .map(({ lastUsedAt }) => lastUsedAt),
    ),
    isCounted: !use.uncounted.some((one) => one === permission),
  }));
}

/** What the key was given and is known not to have used in all the time that is looked at. */
export function unusedRights(apiKey: Pick<ApiKey, "permissions" | "createdAt">, use: LastUse) {
  const isWhole = use.since === use.from && use.isComplete && apiKey.createdAt < use.from;
  if (!isWhole || !apiKey.permissions) return [];
  return rightsOf(apiKey, use)
    .filter(({ isCounted, lastUsedAt = "" }) => isCounted && lastUsedAt < use.from)
    .map(({ permission }) => permission);
}
