import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { assertMayUse } from "@/lib/features/users/account-access";
import type { AssertUnchanged } from "@/lib/http/conditional-write";
import { withOwner } from "./admin-list";
import type { KeyLimitsChange } from "./contract";
import type { ManagedKeyDetails } from "./managing-contract";
import { assertKeyUsable, withKeyForUpdate, writeKey } from "./rows";
import { previousUses } from "./service";
import { changedSettingColumns, isLoosened, settingChanges } from "./settings";

interface LimitRequest {
  caller: Caller;
  params: { apiKeyId: string };
  body: z.output<typeof KeyLimitsChange>;
}

/**
 * Limits how often and from where a key works, by a manager. To let it do more takes all that its owner may do: the holder of the key may
 * be waiting for that. Throws 403, and 409 for a key that never works again.
 */
export async function limitManagedKey(
  { caller, params, body: given }: LimitRequest,
  assertUnchanged: AssertUnchanged,
): Promise<z.output<typeof ManagedKeyDetails>> {
  const changed = await withKeyForUpdate(
    caller,
    params.apiKeyId,
    "managed",
    async (tx, { row, owner }) => {
      await assertUnchanged(async () => ({ ...(await withOwner(caller, row)), previousUses: [] }));
      assertKeyUsable(row);
      const changes = settingChanges(given, row);
      if (Object.keys(changes).length === 0) return row;
      if (owner && isLoosened(row, given))
        await assertMayUse("looser-key-limits", { tx, caller, target: owner });
      const set = changedSettingColumns(row, given);
      return writeKey(tx, caller, row, { set, action: "api-key.updated", changes });
    },
  );
  return { ...(await withOwner(caller, changed)), previousUses: await previousUses(changed) };
}
